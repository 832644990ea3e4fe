import Foundation
import MoonlightTestSupport
import Streams
import Testing

@Suite("`Record`, `Optional.publisher` and `Result.publisher`")
struct ReadySourceTests {
    private func recorded<P: Publisher>(
        _ publisher: P, _ appetite: Appetite = .unlimited
    ) -> Recorder<P.Output, P.Failure> where P.Output: Sendable {
        let recorder = Recorder<P.Output, P.Failure>(appetite)
        publisher.subscribe(recorder)
        expectEqual(recorder.violations, [])
        return recorder
    }

    @Test("An optional sends its value, if it has one, and finishes")
    func optional() {
        expectEqual(recorded(Optional(1).publisher).values, [1])
        let none = recorded(Int?.none.publisher)
        expectEqual(none.values, [])
        expect(none.isFinished)
        expectEqual(Optional<Int>.Publisher(1), Optional(1).publisher)
        let waiting = recorded(Optional(1).publisher, .nothing)
        expectEqual(waiting.values, [])
        expectEqual("\(waiting.subscription)", "Optional")
        waiting.request(.max(2))
        expectEqual(waiting.values, [1])
        expect(waiting.isFinished)
    }

    @Test("A result sends its value and finishes, or fails")
    func result() {
        expectEqual(recorded(Result<Int, Oops>.success(1).publisher).values, [1])
        expectEqual(recorded(Result<Int, Oops>.failure(.second).publisher, .nothing).failure, .second)
        expect(recorded(Result<Int, Oops>.Publisher(2)).isFinished)
        expect(Result<Int, Oops>.Publisher(.first).result == .failure(.first))
        expect(Result<Int, Oops>.Publisher(1) == Result.success(1).publisher)
    }

    @Test("A record sends its values as they are requested, and then its completion", arguments: Appetite.all)
    func record(_ appetite: Appetite) {
        let record = Record<Int, Oops> {
            for value in 1...4 { $0.receive(value) }
            $0.receive(completion: .failure(.first))
        }
        let recorder = recorded(record, appetite)
        recorder.requestLater()
        let count = appetite.served(of: 4)
        expectEqual(recorder.values, Array((1...4).prefix(count)))
        expect(recorder.failure == (count == 4 ? .first : nil))
        expectEqual(recorder.violations, [])
    }

    @Test("A record does not change when a copy of its recording changes")
    func recordCopies() {
        let record = Record<Int, Oops> { _ in }
        var recording = record.recording
        recording.receive(1)
        expectEqual(record.recording.output, [])
        expectEqual(recording.output, [1])
        expect(recorded(Record<Int, Oops>(recording: recording)).isFinished)
        expectEqual(recorded(Record<Int, Oops>(output: [], completion: .failure(.first)), .nothing).failure, .first)
    }

    @Test("A record is encoded as in Combine, and decoded again")
    func recordCodes() throws {
        struct Broken: Error, Codable, Equatable { var code = 3 }
        let record = Record<Int, Broken>(output: [1, 2], completion: .failure(Broken()))
        let coder = JSONEncoder()
        coder.outputFormatting = .sortedKeys
        let data = try coder.encode(record)
        let text = #"{"recording":{"completion":{"error":{"code":3},"success":false},"output":[1,2]}}"#
        expectEqual(String(decoding: data, as: UTF8.self), text)
        let read = try JSONDecoder().decode(Record<Int, Broken>.self, from: data)
        expectEqual(read.recording.output, [1, 2])
        expectEqual(read.recording.completion, .failure(Broken()))
    }

    /// A subscriber that retains its subscription beyond the end.
    private final class KeepingSubscriber: Subscriber {
        typealias Failure = Never
        var subscription: (any Subscription)?
        var values: [Int] = []

        func receive(subscription: any Subscription) {
            self.subscription = subscription
            subscription.request(.unlimited)
        }

        func receive(_ input: Int) -> Subscribers.Demand {
            values.append(input)
            return .none
        }

        func receive(completion: Subscribers.Completion<Never>) {}
    }

    @Test("A subscription that has ended releases its subscriber, even if the subscriber retains it")
    func letsGo() {
        weak var gone: KeepingSubscriber?
        do {
            let subscriber = KeepingSubscriber()
            [1, 2].publisher.subscribe(subscriber)
            expectEqual(subscriber.values, [1, 2])
            gone = subscriber
        }
        expect(gone == nil)
    }

    @Test("A recording that is complete traps on another value")
    func recordTraps() async {
        await #expect(processExitsWith: .failure) {
            var recording = Record<Int, Never>.Recording(output: [1], completion: .finished)
            recording.receive(2)
        }
    }

    @Test("The subscription of a sequence is described as the sequence while there are values to send")
    func description() {
        let sequence = recorded([1, 2].publisher, .nothing)
        expectEqual("\(sequence.subscription)", "[1, 2]")
        sequence.request(.max(1))
        expectEqual("\(sequence.subscription)", "[1, 2]")
        sequence.request(.max(1))
        expectEqual("\(sequence.subscription)", "Sequence")
        let children = Mirror(reflecting: recorded([1, 2].publisher, .nothing).subscription).children
        expectEqual(children.map(\.label), ["sequence"])
        let record = recorded(Record<Int, Oops>(output: [1], completion: .finished), .nothing)
        expectEqual(Mirror(reflecting: record.subscription).children.map(\.label), ["sequence", "completion"])
        record.cancel()
        expectEqual("\(record.subscription)", "Cancelled Events")
        let inside = Log<String>()
        let recorder = Recorder<Int, Never> { recorder, _ in inside.append("\(recorder.subscription)") }
        (0...).publisher.prefix(1).subscribe(recorder)
        (7...8).publisher.subscribe(Recorder<Int, Never> { _, _ in })
        expectEqual(inside.items.count, 1)
        expectEqual("\(Just(1))".isEmpty, false)
        expectEqual("\(recorded(Just(1), .nothing).subscription)", "Just")
    }

    @Test("A sequence ignores a request for `.none`")
    func nothing() {
        let sequence = recorded([1].publisher, .nothing)
        sequence.subscription.request(.none)
        expectEqual(sequence.values, [])
    }
}
