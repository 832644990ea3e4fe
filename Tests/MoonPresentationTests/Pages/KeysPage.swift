import MoonPresentation
import MoonPresentationTesting
import Testing

private struct Player: Equatable {
    enum Mode: Hashable { case playing, searching }
    enum Event { case pause, search, play, cancel, next }
    var mode = Mode.playing
    var title = "-"

    static func update(player: inout Player, event: Event) {
        switch event {
        case .pause: player.title = "paused"
        case .search: player.mode = .searching
        case .play, .cancel: player.mode = .playing
        case .next: player.title = "next"
        }
    }
}

@Suite("The page Keys")
struct KeysPage {
    @Test("The table of the current mode decides about a key")
    func modes() throws {
        let program = Program(Player(), update: Player.update) { player, screen in
            screen.add(Text(player.title))
        }
        .keys(
            by: \.mode,
            [
                .playing: [.key(" ", sends: .pause, help: "pause"), .key("/", sends: .search, help: "search")],
                .searching: [.enter: .play, .escape: .cancel],
            ]
        )
        .keys([.control("n"): .next], quit: ["q", .control("q")])

        let pilot = try program.pilot()
        pilot.press("/", " ")
        #expect(pilot.state == Player(mode: .searching))
        pilot.press(.escape, " ")
        #expect(pilot.state == Player(title: "paused"))
        pilot.press("/", .control("n"), "q")
        #expect(pilot.state == Player(mode: .searching, title: "next") && pilot.ending == .quit)
        #expect(Key.control(.shift("a")) == Key(.character("a"), [.control, .shift]))
    }
}
