// A tree whose branches open and close.
//
//     swift run tree                 Right opens, Left closes, Enter shows what is selected
import MoonPresentation

struct Atlas: Equatable {
    var tree = TreeState<String>(expanded: ["Moon"])
    var opened: String?
}

enum Event {
    case move(TreeMove)
    case open
}

let roots = [
    TreeNode(
        "Moon", "Moon",
        children: [
            TreeNode("Seas", "Seas", children: ["Tranquillity", "Serenity", "Storms"].map { TreeNode($0, StyledText($0)) }),
            TreeNode("Craters", "Craters", children: ["Tycho", "Copernicus", "Kepler"].map { TreeNode($0, StyledText($0)) }),
        ]),
    TreeNode("Mars", "Mars", children: [TreeNode("Phobos", "Phobos"), TreeNode("Deimos", "Deimos")]),
]

func update(atlas: inout Atlas, event: Event) {
    switch event {
    case .move(let move): atlas.tree.apply(move, to: roots)
    case .open: atlas.opened = atlas.tree.selected ?? roots[0].id
    }
}

func program() -> Program<Atlas, Event, Event, Void> {
    Program(Atlas(), update: update) { atlas, screen in
        screen.add(
            Split(.horizontal, at: 0.5) {
                Tree(roots, state: atlas.tree, move: Event.move, open: .open)
            } second: {
                Viewport { Text(atlas.opened.map { "You are looking at \($0)." } ?? "Nothing is open.") }.padding(Insets(left: 1))
            })
    }
    .keys([], quit: ["q"])
}

@main struct Main {
    static func main() throws { try program().run() }
}
