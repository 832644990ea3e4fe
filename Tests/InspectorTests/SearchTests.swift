import MoonlightRecording
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

    @Test("a search goes on from the step, and around the end back to it")
    func around() throws {
        let milk = numbers("milk")
        #expect(milk.count == 3)
        #expect(try search(.text("milk"), from: 1) == StepSearch.Hit(number: milk[0], isAround: false))
        #expect(try search(.text("milk"), from: milk[0])?.number == milk[1])
        #expect(try search(.text("water"), from: steps.count) == StepSearch.Hit(number: numbers("water")[0], isAround: true))
        // The step where it began is looked at last.
        let only = numbers("removed")[0]
        #expect(try search(.text("removed"), from: only) == StepSearch.Hit(number: only, isAround: true))
        #expect(try search(.text("nowhere"), from: 1) == nil)
    }

    @Test("the hit that is wanted may be a later one, around the end again and again")
    func later() throws {
        func find(_ target: StepSearch.Target, _ start: Int, _ count: Int, isForward: Bool = true) throws -> Int? {
            try StepSearch(steps: steps, target: target, start: start, isForward: isForward, count: count).run()?.number
        }
        let milk = numbers("milk")
        #expect(try (1...7).map { try find(.text("milk"), 1, $0) } == [0, 1, 2, 0, 1, 2, 0].map { milk[$0] })
        #expect(try (1...3).map { try find(.text("milk"), 1, $0, isForward: false) } == [2, 1, 0].map { milk[$0] })
        let order = numbers("order(\"milk\")")[0]
        let caused = ["added(\"milk\")", "greet", "greeting started"].map { numbers($0)[0] }
        #expect(try (1...9).map { try find(.consequence(of: order), order, $0) }.prefix(2) == [caused[0], caused[1]])
        #expect(try find(.consequence(of: order), order, 99) != order)
    }

    @Test("backwards, it finds the step before, and then goes on at the end")
    func backwards() throws {
        let milk = numbers("milk")
        #expect(try search(.text("milk"), from: milk[1], isForward: false) == StepSearch.Hit(number: milk[0], isAround: false))
        #expect(
            try search(.text("removed"), from: 1, isForward: false)
                == StepSearch.Hit(number: numbers("removed")[0], isAround: true))
    }

    @Test("it finds kinds, paths and values that changed")
    func places() throws {
        #expect(try search(.text("rejected"), from: 1).flatMap { steps.record($0.number)?.text }?.contains("water") == true)
        #expect(try search(.text("basket"), from: 1)?.number == numbers("added(\"tea\")")[0])
        #expect(try search(.text("visits"), from: 1)?.number == numbers("greeted")[0])
        let nine = try #require(try search(.text("9"), from: 1)?.number)
        #expect(nine == numbers("sold(\"tea\")")[0])
    }

    @Test("what a step caused comes after it, and is searched for to the end only")
    func consequence() throws {
        let order = numbers("order(\"milk\")")[0]
        #expect(try search(.consequence(of: order), from: order)?.number == numbers("added(\"milk\")")[0])
        #expect(try search(.consequence(of: steps.count), from: steps.count) == nil)
        let empty = StepSearch(steps: ShopRecorder().steps, target: .text("a"), start: 0, isForward: true)
        #expect(try empty.run() == nil)
    }

    private func bisect(_ text: String, _ steps: Steps) throws -> Bisection.Answer? {
        try Bisection(steps: steps, predicate: try StatePredicate(text)).run()
    }

    @Test("what holds at the end is found by halves, wherever it begins")
    func halves() throws {
        let recorder = ShopRecorder()
        for _ in 0..<100 { recorder.send(.order("tea")) }
        let steps = recorder.steps
        for total in stride(from: 3, through: 300, by: 3) {
            let answer = try #require(try bisect("total >= \(total)", steps))
            let first = try #require(
                try steps.first { try steps.reader.state(at: $0.number)?.part("total")?.source == "\(total)" })
            #expect(answer.number == first.number && answer.holdsAtEnd && answer.looks <= 13, "\(total): \(answer)")
        }
        #expect(try bisect("total >= 0", steps) == Bisection.Answer(number: 1, looks: 2, holdsAtEnd: true))
    }

    @Test("what does not hold at the end is found by looking at all states")
    func first() throws {
        let answer = try #require(try bisect("total == 6", steps))
        #expect(answer.number == numbers("added(\"milk\")")[0] && !answer.holdsAtEnd)
        // One look at the end, and one at each step up to it.
        #expect(answer.looks == 1 + answer.number)
        #expect(try bisect("total == 7", steps) == nil)
        #expect(try bisect("total == 0", ShopRecorder().steps) == nil)
    }

    @Test("at the first and at the last step, it is found, too")
    func ends() throws {
        let removed = numbers("removed")[0]
        #expect(try bisect("total == 3", steps).map(\.number) == removed)
        #expect(try bisect("total == 3", Steps(ShopRecorder().send(.order("tea")).steps.reader))?.number == 2)
    }
}
