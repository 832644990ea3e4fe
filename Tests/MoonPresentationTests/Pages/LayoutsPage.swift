import Foundation
import MoonPresentation
import MoonPresentationTesting
import Testing

@Suite("The page Layout")
struct LayoutsPage {
    private struct Memo: Equatable {
        var lines = ["tea", "milk"]
        var title = "Memo"
        var text: TextInput = "Buy it."
        var draft: TextInput = "more"
    }

    private enum Event: Sendable { case edit(TextEdit) }

    private func view(of state: Memo, on screen: LayoutScreen<Event>) {
        let list = screen.add(List(state.lines))
        let field = screen.add(Field(state.draft, edit: Event.edit))
        list.constrain(.all(except: .bottom), to: screen)
        list.constrain(.bottom, to: field, edge: .top)
        field.constrain(.all(except: .top), to: screen)
    }

    @Test("A list stands above a field")
    func constraints() throws {
        let program = Program(Memo(), update: { _, _ in }, { state, screen in view(of: state, on: screen) })
        try program.pilot(size: Size(columns: 80, rows: 24)).checkLayout()
        // NotesView.swift:12: List 0 (left = container.left, 3 inside): this must be 3, but earlier constraints make it 2.
        let frame = try program.pilot(size: Size(columns: 6, rows: 4)).frame
        #expect(frame.picture == ["tea", "milk", "", "more"])
    }

    @Test("A pilot throws an error for a constraint that a frame cannot satisfy, with the line that declares it")
    func issue() throws {
        @Sendable func build(_ state: Int, _ screen: LayoutScreen<Int>) {
            let list = screen.add(List(["tea"]))
            list.constrain(.left, to: screen, constant: 2)
            list.constrain(.left, to: screen, constant: 3)
        }
        let program = Program(0, update: { (_: inout Int, _: Int) in }, build)
        let pilot = try program.pilot(size: Size(columns: 6, rows: 1))
        let issue = #expect(throws: LayoutIssue.self) { try pilot.checkLayout() }
        #expect(issue?.description.contains("LayoutsPage.swift") == true)
        #expect(issue?.reason == .conflict(wanted: 3, is: 2))
        #expect(pilot.frame.picture == ["  tea"])
    }

    @Test("The right half of the comparison with UIKit is the code of the test above")
    func comparison() throws {
        let file = URL(fileURLWithPath: #filePath)
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "Sources/MoonPresentation/MoonPresentation.docc/Layouts.md"), encoding: .utf8)
        let code = try String(contentsOf: file, encoding: .utf8)
        let lines = page.split(separator: "\n").drop { !$0.hasPrefix("// UIKit") }.prefix { $0 != "```" }
        let column = try #require(lines.first?.range(of: "// A terminal")).lowerBound.utf16Offset(in: lines[lines.startIndex])
        let right = lines.dropFirst().map { String($0.dropFirst(column)) }
        #expect(right.count == 5)
        for line in right { #expect(code.contains("        " + line + "\n"), "\(line)") }
    }

    @Test("Columns have a fraction, a border and a natural width")
    func columns() {
        let state = Memo()
        let names = Text<Event>("names")
        let clock = Text<Event>("12:30")
        let view: Columns<Event> =
            Columns(spacing: 1) {
                names.length(.fraction(0.3))
                Rows {
                    Text(state.title, style: .bold)
                    TextArea(state.text, edit: Event.edit)
                }
                .border(.rounded)
                clock
            }
        var stand = Stand<Event>(30, 4)
        #expect(
            stand.show(view) == [
                "names     ╭────────────╮ 12:30", "          │Memo        │", "          │Buy it.     │",
                "          ╰────────────╯",
            ])
    }
}
