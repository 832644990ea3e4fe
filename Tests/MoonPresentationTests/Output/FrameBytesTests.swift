@testable import MoonPresentation
import Testing

/// How many bytes a change takes, on a terminal that shows all colors.
@Suite("Presentation: bytes of a frame")
struct FrameBytesTests {
    /// A list of 1,000 rows above a line of text or a field, as `Benchmarks/terminal` measures it.
    private struct Rows {
        var presentation = Presentation<ListMove>()
        var writer = FrameWriter(capabilities: .init())
        var look = SelectionLook.marker
        var hasField = false
        var selected = 0

        /// Selects a row, and returns the bytes that show it.
        mutating func select(_ row: Int) -> String {
            selected = row
            let (look, hasField) = (look, hasField)
            let frame = presentation.frame(Size(columns: 80, rows: 24)) { screen in
                let list = screen.add(List((0..<1_000).map { "row \($0)" }, selected: row, look: look, select: { $0 }))
                let line =
                    if hasField { screen.add(Field("a note", edit: { _ in .up })) } else { screen.add(Text("")) }
                list.constrain(.all(except: .bottom), to: screen)
                list.constrain(.bottom, to: line, edge: .top)
                line.constrain(.all(except: .top), to: screen)
                line.constrain(.height, constant: 1)
            }
            return String(decoding: writer.bytes(for: frame), as: UTF8.self)
        }
    }

    @Test(
        "a move of the selection takes at most 30 bytes, up and down, also while a field has the focus", arguments: [false, true])
    func moves(hasField: Bool) {
        var rows = Rows(hasField: hasField)
        _ = rows.select(0)
        for row in [1, 2, 3, 10, 9, 8, 22, 21] {
            let bytes = rows.select(row)
            #expect(bytes.utf8.count <= 30, "\(row): \(bytes.debugDescription)")
        }
    }

    @Test("a move that scrolls takes at most 60 bytes, up and down, also while a field has the focus", arguments: [false, true])
    func scrolls(hasField: Bool) {
        var rows = Rows(hasField: hasField)
        _ = rows.select(22)
        for row in 23..<40 {
            let bytes = rows.select(row)
            #expect(bytes.utf8.count <= 60, "\(row): \(bytes.debugDescription)")
        }
        _ = rows.select(17)
        for row in (3...16).reversed() {
            let bytes = rows.select(row)
            #expect(bytes.utf8.count <= 60, "\(row): \(bytes.debugDescription)")
        }
    }
}
