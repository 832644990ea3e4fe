import Foundation
import MoonlightTestSupport
import Streams
import Testing

@Suite("Contract, rule 1: grammar, with an invalid upstream")
struct BrokenGrammarTests {
    private static let appetites = [
        Appetite.unlimited,
        Appetite(description: "1, later all", atStart: [.max(1)], later: [.unlimited]),
        Appetite(description: "nothing, later all", later: [.unlimited]),
    ]

    /// Returns the events of a subscriber, with times, of an upstream that sends a value, ends, and then violates the grammar.
    private static func record(
        _ operation: BrokenCase, _ appetite: Appetite, pause: Int, end: Subscribers.Completion<Oops>,
        then others: [BrokenSource.Event]
    ) -> (heard: String, violations: [String]) {
        let time = VirtualTimeScheduler()
        let source = BrokenSource()
        let heard = Log<String>()
        let recorder = Recorder<String, any Error>(appetite) { _, value in heard.append("\(time.now): \(value)") }
        operation.apply(source, time).subscribe(recorder)
        time.advance()
        if source.demand != .none { source.send(.value(1)) }
        time.advance(by: .nanoseconds(pause))
        let hasEnded = source.isSubscribed
        source.send(.end(end))
        for other in others { source.send(other) }
        time.advance(by: .nanoseconds(pause))
        recorder.requestLater()
        if !hasEnded { source.send(.end(end)) }
        for other in others { source.send(other) }
        time.advance(by: .nanoseconds(20))
        return ("\(heard.items), then \(recorder.completions.map { "\($0)" }.joined())", recorder.violations)
    }

    @Test("An operator drops everything that its upstream sends after its completion", arguments: BrokenCase.all)
    func afterTheEnd(_ operation: BrokenCase) {
        let others: [[BrokenSource.Event]] = [
            [.value(-1)], [.end(.finished)], [.end(.failure(.second))], [.value(-1), .value(-2), .end(.failure(.second))],
        ]
        for appetite in Self.appetites {
            for end in [.finished, .failure(.first)] as [Subscribers.Completion<Oops>] {
                for pause in [0, 1, 5] {
                    let right = Self.record(operation, appetite, pause: pause, end: end, then: [])
                    for others in others {
                        let found = Self.record(operation, appetite, pause: pause, end: end, then: others)
                        let context: Comment = "\(appetite), \(end), a pause of \(pause), then \(others)"
                        expectEqual(found.heard, right.heard, context)
                        expectEqual(found.violations, [], context)
                    }
                }
            }
        }
    }

    @Test("The tests of the grammar cover every operator")
    func complete() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let api = try String(contentsOf: root.appendingPathComponent("API/Streams.txt"), encoding: .utf8)
        let methods = Set(
            api.split(separator: "\n").filter {
                $0.hasPrefix("Publisher.") && !$0.hasPrefix("Publisher._") && $0.contains(" func ")
            }
            .map { String($0.dropFirst("Publisher.".count).prefix { $0.isLetter }) })
        // The methods among them that subscribe have tests of their own.
        let others: Set = ["assign", "sink", "sinkValue", "values"]
        let tried = Set(BrokenCase.all.map { String($0.description.prefix { $0 != " " }) })
        expectEqual(methods.subtracting(others).subtracting(tried), [])
        expect(methods.count > 60)
    }

    @Test("`debounce` and `throttle` keep a completion that follows a pending value when the upstream sends another value")
    func waitingCompletion() {
        let record = { (operation: String) in
            BrokenCase.all.first { $0.description == operation }.map {
                Self.record($0, .unlimited, pause: 0, end: .finished, then: [.value(-1)]).heard
            }
        }
        expectEqual(record("debounce"), "[], then finished")
        expectEqual(record("throttle to the first"), #"["0.0 seconds: 1"], then finished"#)
        expectEqual(record("throttle to the latest"), #"["0.0 seconds: 1"], then finished"#)
    }
}
