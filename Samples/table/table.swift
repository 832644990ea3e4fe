// A table with a million rows, of which only the visible ones are read.
//
//     swift run table                arrows, Page Up, Page Down, Home and End move
import MoonPresentation

/// A million numbers with their squares, computed on access.
struct Squares: RandomAccessCollection, Sendable {
    let startIndex = 1
    let endIndex = 1_000_001
    subscript(number: Int) -> (number: Int, square: Int) { (number, number * number) }
}

func program() -> Program<Int, ListMove, ListMove, Void> {
    Program(0, update: { selected, move in selected = move.index(from: selected, count: Squares().count) }) { selected, screen in
        screen.add(
            Rows {
                Table(
                    Squares(), selected: selected, scrollBar: true, select: { $0 },
                    columns: [
                        TableColumn("Number", alignment: .right) { StyledText("\($0.number)") },
                        TableColumn("Square", alignment: .right) { StyledText("\($0.square)", .bold) },
                        TableColumn("Parity") { StyledText($0.number.isMultiple(of: 2) ? "even" : "odd", .dim) },
                    ]
                ).length(.share())
                Text("row \(selected + 1) of 1000000  q quit", style: .dim)
            })
    }
    .keys([], quit: ["q"])
}

@main struct Main {
    static func main() throws { try program().run() }
}
