import MoonlightRecording
import MoonlightTestSupport
import Testing

@testable import MoonlightInspector

@Suite("Inspector: search and bisection")
struct SearchTests {
    private let steps = shortDay().steps

    private func search(_ target: StepSearch.Target, from start: Int, isForward: Bool = true) throws -> StepSearch.Hit? {
        try StepSearch(steps: steps, target: target, start: start, isForward: isForward).run()
    }

    private func numbers(_ text: String) -> [Int] {
        steps.filter { (try? $0.record.get().text.contains(text)) ?? false }.map(\.number)
    }

    @Test("A search goes on from the step, and around the end back to it")
    func around() throws {
        let milk = numbers("milk")
        expectEqual(milk.count, 3)
        try expectEqual(search(.text("milk"), from: 1), StepSearch.Hit(number: milk[0], isAround: false))
        try expectEqual(search(.text("milk"), from: milk[0])?.number, milk[1])
        try expectEqual(search(.text("water"), from: steps.count), StepSearch.Hit(number: numbers("water")[0], isAround: true))
        // The step where it began is looked at last.
        let only = numbers("removed")[0]
        try expectEqual(search(.text("removed"), from: only), StepSearch.Hit(number: only, isAround: true))
        try expect(search(.text("nowhere"), from: 1) == nil)
    }

    @Test("A search for a later hit goes around the end again and again")
    func later() throws {
        func find(_ target: StepSearch.Target, _ start: Int, _ count: Int, isForward: Bool = true) throws -> Int? {
            try StepSearch(steps: steps, target: target, start: start, isForward: isForward, count: count).run()?.number
        }
        let milk = numbers("milk")
        try expectEqual((1...7).map { try find(.text("milk"), 1, $0) }, [0, 1, 2, 0, 1, 2, 0].map { milk[$0] })
        try expectEqual((1...3).map { try find(.text("milk"), 1, $0, isForward: false) }, [2, 1, 0].map { milk[$0] })
        let order = numbers("order(\"milk\")")[0]
        let caused = ["added(\"milk\")", "greet", "greeting started"].map { numbers($0)[0] }
        try expectEqual((1...9).map { try find(.consequence(of: order), order, $0) }.prefix(2), [caused[0], caused[1]])
        try expect(find(.consequence(of: order), order, 99) != order)
    }

    @Test("A backward search finds the step before, and then goes on at the end")
    func backwards() throws {
        let milk = numbers("milk")
        try expectEqual(search(.text("milk"), from: milk[1], isForward: false), StepSearch.Hit(number: milk[0], isAround: false))
        try expectEqual(
            search(.text("removed"), from: 1, isForward: false), StepSearch.Hit(number: numbers("removed")[0], isAround: true))
    }

    @Test("A search finds kinds, paths and values that changed")
    func places() throws {
        try expectEqual(search(.text("rejected"), from: 1).flatMap { steps.record($0.number)?.text }?.contains("water"), true)
        try expectEqual(search(.text("basket"), from: 1)?.number, numbers("added(\"tea\")")[0])
        try expectEqual(search(.text("visits"), from: 1)?.number, numbers("greeted")[0])
        let nine = try #require(try search(.text("9"), from: 1)?.number)
        expectEqual(nine, numbers("sold(\"tea\")")[0])
    }

    @Test("A consequence of a step is searched for up to the end only")
    func consequence() throws {
        let order = numbers("order(\"milk\")")[0]
        try expectEqual(search(.consequence(of: order), from: order)?.number, numbers("added(\"milk\")")[0])
        try expect(search(.consequence(of: steps.count), from: steps.count) == nil)
        let empty = StepSearch(steps: ShopRecorder().steps, target: .text("a"), start: 0, isForward: true)
        try expect(empty.run() == nil)
    }

    private func bisect(_ text: String, _ steps: Steps) throws -> Bisection.Answer? {
        try Bisection(steps: steps, predicate: try StatePredicate(text)).run()
    }

    @Test("A condition that holds at the end is found by bisection, wherever it begins")
    func halves() throws {
        let (recorder, orders) = (ShopRecorder(), Budget.size(100, quick: 25))
        for _ in 0..<orders { recorder.send(.order("tea")) }
        let steps = recorder.steps
        // The first step with each total.
        var first: [String: Int] = [:]
        for step in steps {
            let total = try steps.reader.state(at: step.number)?.part("total")?.source ?? ""
            if first[total] == nil { first[total] = step.number }
        }
        for total in stride(from: 3, through: 3 * orders, by: 3) {
            let answer = try #require(try bisect("total >= \(total)", steps))
            expect(answer.number == first["\(total)"] && answer.holdsAtEnd && answer.looks <= 13, "\(total): \(answer)")
        }
        try expectEqual(bisect("total >= 0", steps), Bisection.Answer(number: 1, looks: 2, holdsAtEnd: true))
    }

    @Test("A condition that does not hold at the end is found by looking at all states")
    func first() throws {
        let answer = try #require(try bisect("total == 6", steps))
        expect(answer.number == numbers("added(\"milk\")")[0] && !answer.holdsAtEnd)
        // One look at the end, and one at each step up to it.
        expectEqual(answer.looks, 1 + answer.number)
        try expect(bisect("total == 7", steps) == nil)
        try expect(bisect("total == 0", ShopRecorder().steps) == nil)
    }

    @Test("A condition that begins near the first step or at the last one is found")
    func ends() throws {
        let removed = numbers("removed")[0]
        try expectEqual(bisect("total == 3", steps).map(\.number), removed)
        try expectEqual(bisect("total == 3", Steps(ShopRecorder().send(.order("tea")).steps.reader))?.number, 2)
    }
}
