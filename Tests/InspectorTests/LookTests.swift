import MoonlightTestSupport
import Testing

@testable import MoonlightInspector
@testable import MoonlightRecording

@Suite("Inspector: details of a step")
struct LookTests {
    private let recorder = shortDay()

    private func look(_ number: Int, mark: Int? = nil) throws -> Look {
        try Look(Look.Question(steps: recorder.steps, number: number, mark: mark))
    }

    private func number(_ text: String) throws -> Int {
        try #require(recorder.steps.first { (try? $0.record.get().text) == text }).number
    }

    @Test("An effect has the state after it, its changes and its causes")
    func effect() throws {
        let number = try number("added(\"milk\")")
        let look = try look(number)
        expectEqual(
            look.state?.source,
            "Shop(customer: Customer(name: \"Ann\", visits: 0), basket: [\"tea\", \"milk\"], total: 6, stock: [\"milk\": 4, \"tea\": 9])"
        )
        expectEqual(look.changes.map(\.title), ["basket[1]", "total"])
        expect(look.changes.map(\.before?.source) == [nil, "3"] && look.changes.map(\.after?.source) == ["\"milk\"", "6"])
        expect(look.causes.map(\.text) == ["order(\"milk\")"] && look.origin == .outside)
    }

    @Test("An event changes nothing, and comes from outside")
    func event() throws {
        let look = try look(1)
        expect(look.changes.isEmpty && look.causes.isEmpty && look.origin == .outside && look.mark == nil)
    }

    @Test("An effect of feedback leads back to the effect and the event from outside")
    func feedback() throws {
        let look = try look(number("greeted"))
        expect(look.causes.map(\.text) == ["greet", "added(\"milk\")", "order(\"milk\")"] && look.origin == .outside)
    }

    @Test("A mark compares the states after both steps, in either order")
    func mark() throws {
        let last = try #require(recorder.steps.numbers).upperBound
        let forward = try look(last, mark: 1)
        expectEqual(
            forward.changes.map(\.title), ["customer.visits", "basket", "total", "stock[\"milk\"]", "stock[\"tea\"]"])
        expectEqual(forward.changes.first { $0.title == "total" }?.after?.source, "3")
        let back = try look(1, mark: last)
        let total = back.changes.first { $0.title == "total" }
        expect(total?.before?.source == "3" && total?.after?.source == "0" && back.mark == last)
    }

    @Test("A cause that is no longer kept differs from no cause")
    func unknown() throws {
        let recorder = ShopRecorder(keeping: .last(8))
        for _ in 0..<20 { recorder.send(.order("tea")) }
        let steps = recorder.steps
        let first = try #require(steps.first)
        expect(first.number > 1)
        let looks = try steps.map { try Look(Look.Question(steps: steps, number: $0.number, mark: nil)) }
        expect(looks.contains { $0.origin == .outside })
        for look in looks { expect(look.causes.allSatisfy { $0.number >= first.number }) }
        var (record, reader) = (StepRecord(), steps.reader)
        record.number = 5
        record.cause = 0
        expect(record.causedBy == nil)
        record.kind = .answer
        record.call = 3
        expectEqual(record.causedBy, 3)
        record.call = 5
        expect(record.causedBy == nil)
        reader = steps.reader
        #expect(throws: RecordingError.noStep(1, kept: reader.numbers)) {
            try Look(Look.Question(steps: steps, number: 1, mark: nil))
        }
    }

    @Test("A very long chain of causes is followed for a thousand steps")
    func further() throws {
        var segment = Segment(first: 1, time: 0, state: nil, json: "")
        for number in 1...1002 {
            var step = StepRecord()
            (step.number, step.text, step.cause) = (number, "again", number == 1 ? nil : number - 1)
            segment.add(step)
        }
        var archive = Archive(RecordingHeader())
        archive.segments = [segment]
        let steps = Steps(RecordingReader(archive))
        let whole = try Look(Look.Question(steps: steps, number: 1001, mark: nil))
        expect(whole.causes.count == 1000 && whole.causes.last?.number == 1 && whole.origin == .outside)
        let cut = try Look(Look.Question(steps: steps, number: 1002, mark: nil))
        expect(cut.causes.count == 1000 && cut.causes.last?.number == 2 && cut.origin == .further && cut.state == nil)
    }

    @Test("A difference goes down to the smallest parts, and stays whole where the shape is another one")
    func difference() {
        func list(_ values: String...) -> StateTree {
            .node(.list, "", values.enumerated().map { .init("\($0.offset)", .leaf($0.element)) })
        }
        func app(_ list: StateTree, _ name: StateTree) -> StateTree {
            .node(.structure, "App", [.init("list", list), .init("name", name)])
        }
        func changes(_ old: StateTree?, _ new: StateTree?) -> [String] {
            var difference = Difference(root: new ?? old)
            difference.add([], old, new)
            return difference.changes.map { "\($0.title) \($0.before?.source ?? "none") \($0.after?.source ?? "none")" }
        }
        let old = app(list("1", "2", "3"), .leaf("nil"))
        expectEqual(changes(old, old), [])
        expectEqual(
            changes(old, app(list("1", "5"), .node(.structure, "Name", []))),
            ["list[1] 2 5", "list[2] 3 none", "name nil Name()"])
        expectEqual(changes(old, app(list("1", "2", "3", "4"), .leaf("nil"))), ["list[3] none 4"])
        expectEqual(changes(old, app(list(), .leaf("nil"))), ["list [1, 2, 3] []"])
        let cases = ["a", "b"].map { StateTree.node(.enumeration, $0, [.init("0", .leaf("1"))]) }
        expectEqual(changes(cases[0], cases[1]), [" .a(1) .b(1)"])
        expect(changes(nil, .leaf("1")) == [" none 1"] && changes(.leaf("1"), nil) == [" 1 none"])
        // Once there are a thousand, what follows is told as a whole.
        let long = ["0", "1"].map { value in StateTree.node(.list, "", (0..<1000).map { .init("\($0)", .leaf(value)) }) }
        expectEqual(changes(long[0], long[1]).count, 1000)
        let rest = ["0", "1"].map { StateTree.node(.tuple, "", [.init("0", .leaf($0)), .init("1", .leaf($0))]) }
        expectEqual(changes(app(long[0], rest[0]), app(long[1], rest[1])).suffix(1), ["name (0, 0) (1, 1)"])
    }
}
