import Foundation
import Moonlight
import Testing

/// A row whose id may be changed, by mistake.
private struct Row: Identifiable, Equatable, Codable, Sendable {
    var id: Int
    var title = ""
}

@Suite("Elements of a list that know their ids")
struct IdentifiedListIDTests {
    /// Whether a failed process has said something.
    private func output(of result: ExitTest.Result?, contains text: String) -> Bool {
        result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains(text) } ?? false
    }

    @Test("a literal with the same id twice traps, and says which and what to write")
    func literal() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let rows: IdentifiedList = [Row(id: 7), Row(id: 3), Row(id: 7)]
            print(rows)
        }
        let isTold = output(
            of: result, contains: "the id 7 occurs twice, the second time at position 2: give each element of the literal its own"
        )
        #expect(isTold)
    }

    @Test("a literal keeps the order of its elements")
    func goodLiteral() {
        let rows: IdentifiedList = [Row(id: 7), Row(id: 3)]
        #expect(rows.ids == [7, 3])
    }

    @Test("an element that is set under another id traps, and says which")
    func set() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var rows = IdentifiedList([Row(id: 2)])
            rows[id: 2] = Row(id: 3)
        }
        let isTold = output(of: result, contains: "an element with the id 3 was put under the id 2")
        #expect(isTold)
    }

    @Test("an element that is appended under another id by the subscript traps")
    func setNew() async {
        await #expect(processExitsWith: .failure) {
            var rows = IdentifiedList<Int, Row>()
            rows[id: 2] = Row(id: 3)
        }
    }

    @Test("an element whose id is changed through the subscript traps")
    func changedInSubscript() async {
        await #expect(processExitsWith: .failure) {
            var rows = IdentifiedList([Row(id: 2)])
            rows[id: 2]?.id = 3
        }
    }

    @Test("an element whose id is changed by update traps")
    func changedInUpdate() async {
        await #expect(processExitsWith: .failure) {
            var rows = IdentifiedList([Row(id: 2)])
            rows.update(2) { $0.id = 3 }
        }
    }

    @Test("an element is replaced, appended and removed under its own id")
    func own() {
        var rows = IdentifiedList([Row(id: 2)])
        rows[id: 2] = Row(id: 2, title: "two")
        rows[id: 3] = Row(id: 3)
        rows.update(3) { $0.title = "three" }
        rows[id: 4] = nil
        #expect(Array(rows) == [Row(id: 2, title: "two"), Row(id: 3, title: "three")])
        rows[id: 2] = nil
        #expect(rows.ids == [3])
    }

    @Test("data with the same id twice is refused with its name and place")
    func validating() {
        let error = #expect(throws: DuplicateIDError.self) {
            try IdentifiedList(validating: [Row(id: 7), Row(id: 3), Row(id: 3)])
        }
        #expect(error.map { "\($0)" } == "the id 3 occurs twice, the second time at position 2")
    }

    @Test("data with an id for each is taken, in its order")
    func valid() throws {
        #expect(try IdentifiedList(validating: [Row(id: 7), Row(id: 3)]).ids == [7, 3])
    }

    @Test("a coded array with the same id twice is corrupted data")
    func decoding() throws {
        let json = Data(#"{"rows": [{"id":7,"title":""},{"id":7,"title":""}]}"#.utf8)
        do {
            _ = try JSONDecoder().decode([String: IdentifiedList<Int, Row>].self, from: json)
            Issue.record("decoded")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.codingPath.map(\.stringValue) == ["rows"])
            #expect(context.debugDescription == "the id 7 occurs twice, the second time at position 1")
        }
    }

    @Test("a list without its elements is empty, and each id can be used again")
    func removingAll() {
        var list: IdentifiedList<Int, Row> = [Row(id: 1), Row(id: 2)]
        list.removeAll()
        #expect(list.isEmpty)
        #expect(!list.contains(id: 1))
        list.append(Row(id: 2))
        #expect(list.ids == [2])
    }

    @Test("a list is decoded from the array that it was encoded as")
    func coding() throws {
        let rows: IdentifiedList = [Row(id: 7, title: "seven"), Row(id: 3)]
        let read = try JSONDecoder().decode(IdentifiedList<Int, Row>.self, from: JSONEncoder().encode(rows))
        #expect(read == rows)
    }

    @Test("an array of elements with ids has the first of each id as a child")
    func array() {
        var rows = [Row(id: 1, title: "a"), Row(id: 2, title: "b"), Row(id: 2, title: "c"), Row(id: 3, title: "d")]
        #expect(rows.child(2)?.title == "b")
        #expect(rows.child(4) == nil)
        let length: Int? = rows.updateChild(2) { row in
            row.title = "changed"
            return row.title.count
        }
        #expect(length == 7)
        let none: Void? = rows.updateChild(4) { $0.title = "none" }
        #expect(none == nil)
        #expect(rows.map(\.title) == ["a", "changed", "c", "d"])
        rows.removeChild(2)
        #expect(rows.map(\.id) == [1, 3])
    }

    /// Looks up, changes and removes children of a collection of the rows 1 and 2.
    private func check(_ rows: some ChildCollection<Int, Row>) {
        var rows = rows
        #expect([1, 2, 3].map { rows.hasChild($0) } == [true, true, false])
        #expect([1, 2, 3].map { rows.child($0) } == [Row(id: 1), Row(id: 2), nil])
        let changes = [2, 3].map { id in
            rows.updateChild(id) { row in
                row.title = "changed"
                return row.title.count
            }
        }
        #expect(changes == [7, nil])
        rows.removeChild(1)
        rows.removeChild(3)
        #expect([1, 2, 3].map { rows.hasChild($0) } == [false, true, false])
        #expect(rows.child(2) == Row(id: 2, title: "changed"))
    }

    @Test("a list, a dictionary and an array have the same children, change them and let them go in the same way")
    func collections() {
        check(IdentifiedList([Row(id: 1), Row(id: 2)]))
        check([1: Row(id: 1), 2: Row(id: 2)])
        check([Row(id: 1), Row(id: 2)])
    }

    @Test("a list is described as the array of its elements")
    func described() {
        let list: IdentifiedList<Int, Row> = [Row(id: 1, title: "a"), Row(id: 2)]
        #expect(list.description == Array(list).description)
        #expect(list.debugDescription == Array(list).debugDescription)
        #expect(list.description.contains("\"a\""))
    }
}
