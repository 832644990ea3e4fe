import Foundation
import Moonlight
import MoonlightTestSupport
import Testing

/// A row whose id may be changed, by mistake.
private struct Row: Identifiable, Equatable, Codable, Sendable {
    var id: Int
    var title = ""
}

@Suite("Identified lists of `Identifiable` elements")
struct IdentifiedListIDTests {
    @Test("The error for an id that occurs twice escapes the characters that would steer a terminal")
    func escaped() {
        struct Named: Identifiable { let id = "\u{1B}[2J" }
        let error = #expect(throws: DuplicateIDError.self) { try IdentifiedList(validating: [Named(), Named()]) }
        expectEscaped("\(error?.description ?? "")")
    }

    /// Returns whether a failed process has printed a text. Optimized programs trap without a message.
    private func output(of result: ExitTest.Result?, contains text: String) -> Bool {
        #if DEBUG
            return result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains(text) } ?? false
        #else
            return true
        #endif
    }

    @Test("A literal with a duplicate id traps with a message that contains the id and the remedy")
    func literal() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let rows: IdentifiedList = [Row(id: 7), Row(id: 3), Row(id: 7)]
            print(rows)
        }
        let isExplained = output(
            of: result,
            contains: "the id 7 occurs twice, the second time at position 2: give each element of the literal an id of its own"
        )
        expect(isExplained)
    }

    @Test("A literal preserves the order of its elements")
    func goodLiteral() {
        let rows: IdentifiedList = [Row(id: 7), Row(id: 3)]
        expectEqual(rows.ids, [7, 3])
    }

    @Test("Setting an element under another id traps with a message that contains both ids")
    func set() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var rows = IdentifiedList([Row(id: 2)])
            rows[id: 2] = Row(id: 3)
        }
        let isExplained = output(of: result, contains: "an element with the id 3 was stored under the id 2")
        expect(isExplained)
    }

    @Test("Appending an element under another id by the subscript traps")
    func setNew() async {
        await #expect(processExitsWith: .failure) {
            var rows = IdentifiedList<Int, Row>()
            rows[id: 2] = Row(id: 3)
        }
    }

    @Test("Changing the id of an element through the subscript traps")
    func changedInSubscript() async {
        await #expect(processExitsWith: .failure) {
            var rows = IdentifiedList([Row(id: 2)])
            rows[id: 2]?.id = 3
        }
    }

    @Test("Changing the id of an element by `update` traps")
    func changedInUpdate() async {
        await #expect(processExitsWith: .failure) {
            var rows = IdentifiedList([Row(id: 2)])
            rows.update(id: 2) { $0.id = 3 }
        }
    }

    @Test("An element is replaced, appended and removed under its own id")
    func own() {
        var rows = IdentifiedList([Row(id: 2)])
        rows[id: 2] = Row(id: 2, title: "two")
        rows[id: 3] = Row(id: 3)
        rows.update(id: 3) { $0.title = "three" }
        rows[id: 4] = nil
        expectEqual(Array(rows), [Row(id: 2, title: "two"), Row(id: 3, title: "three")])
        rows[id: 2] = nil
        expectEqual(rows.ids, [3])
    }

    @Test("Creating a list from data with a duplicate id throws the id and the position")
    func validating() {
        let error = #expect(throws: DuplicateIDError.self) {
            try IdentifiedList(validating: [Row(id: 7), Row(id: 3), Row(id: 3)])
        }
        expectEqual(error.map { "\($0)" }, "the id 3 occurs twice, the second time at position 2")
    }

    @Test("Creating a list from data with different ids preserves their order")
    func valid() throws {
        try expectEqual(IdentifiedList(validating: [Row(id: 7), Row(id: 3)]).ids, [7, 3])
    }

    @Test("Decoding an array with a duplicate id throws `dataCorrupted`")
    func decoding() throws {
        let json = Data(#"{"rows": [{"id":7,"title":""},{"id":7,"title":""}]}"#.utf8)
        do {
            _ = try JSONDecoder().decode([String: IdentifiedList<Int, Row>].self, from: json)
            Issue.record("decoded")
        } catch DecodingError.dataCorrupted(let context) {
            expectEqual(context.codingPath.map(\.stringValue), ["rows"])
            expectEqual(context.debugDescription, "the id 7 occurs twice, the second time at position 1")
        }
    }

    @Test("A list is empty after `removeAll`, and each id can be inserted again")
    func removingAll() {
        var list: IdentifiedList<Int, Row> = [Row(id: 1), Row(id: 2)]
        list.removeAll()
        expect(list.isEmpty)
        expect(!list.contains(id: 1))
        list.append(Row(id: 2))
        expectEqual(list.ids, [2])
    }

    @Test("A list is decoded from the array as which it was encoded")
    func coding() throws {
        let rows: IdentifiedList = [Row(id: 7, title: "seven"), Row(id: 3)]
        let read = try JSONDecoder().decode(IdentifiedList<Int, Row>.self, from: JSONEncoder().encode(rows))
        expectEqual(read, rows)
    }

    /// Looks up, changes and removes children of a collection of the rows 1 and 2.
    private func check(_ rows: some ChildCollection<Int, Row>) {
        var rows = rows
        expectEqual([1, 2, 3].map { rows[id: $0] != nil }, [true, true, false])
        expectEqual([1, 2, 3].map { rows[id: $0] }, [Row(id: 1), Row(id: 2), nil])
        let changes = [2, 3].map { id in
            rows.update(id: id) { row in
                row.title = "changed"
                return row.title.count
            }
        }
        expectEqual(changes, [7, nil])
        rows.remove(id: 1)
        rows.remove(id: 3)
        expectEqual([1, 2, 3].map { rows[id: $0] != nil }, [false, true, false])
        expectEqual(rows[id: 2], Row(id: 2, title: "changed"))
    }

    @Test("A list and a dictionary find, change and remove children in the same way")
    func collections() {
        check(IdentifiedList([Row(id: 1), Row(id: 2)]))
        check([1: Row(id: 1), 2: Row(id: 2)])
    }

    @Test("The description of a list is that of the array of its elements")
    func described() {
        let list: IdentifiedList<Int, Row> = [Row(id: 1, title: "a"), Row(id: 2)]
        expectEqual(list.description, Array(list).description)
        expect(list.description.contains("\"a\""))
    }
}
