import Foundation
import Streams
import Testing

@Suite("Record, Optional.publisher, Result.publisher")
struct ReadySourceTests {
    private func recorded<P: Publisher>(
        _ publisher: P, _ appetite: Appetite = .unlimited
    ) -> Recorder<P.Output, P.Failure> where P.Output: Sendable {
        let recorder = Recorder<P.Output, P.Failure>(appetite)
        publisher.subscribe(recorder)
        #expect(recorder.violations == [])
        return recorder
    }

    @Test("an optional sends its value, if it has one, and finishes")
    func optional() {
        #expect(recorded(Optional(1).publisher).values == [1])
        let none = recorded(Int?.none.publisher)
        #expect(none.values == [])
        #expect(none.isFinished)
        #expect(Optional<Int>.Publisher(1) == Optional(1).publisher)
        let waiting = recorded(Optional(1).publisher, .nothing)
        #expect(waiting.values == [])
        #expect("\(waiting.subscription)" == "Optional")
        waiting.request(.max(2))
        #expect(waiting.values == [1])
        #expect(waiting.isFinished)
    }

    @Test("a result sends its value and finishes, or fails")
    func result() {
        #expect(recorded(Result<Int, Oops>.success(1).publisher).values == [1])
        #expect(recorded(Result<Int, Oops>.failure(.second).publisher, .nothing).failure == .second)
        #expect(recorded(Result<Int, Oops>.Publisher(2)).isFinished)
        #expect(Result<Int, Oops>.Publisher(.first).result == .failure(.first))
        #expect(Result<Int, Oops>.Publisher(1) == Result.success(1).publisher)
    }

    @Test("a record plays back its values as they are asked for, then its completion", arguments: Appetite.all)
    func record(_ appetite: Appetite) {
        let record = Record<Int, Oops> {
            for value in 1...4 { $0.receive(value) }
            $0.receive(completion: .failure(.first))
        }
        let recorder = recorded(record, appetite)
        recorder.requestLater()
        let count = appetite.served(of: 4)
        #expect(recorder.values == Array((1...4).prefix(count)))
        #expect(recorder.failure == (count == 4 ? .first : nil))
        #expect(recorder.violations == [])
    }

    @Test("a record is a value: what is recorded later goes to the copy")
    func recordCopies() {
        let record = Record<Int, Oops> { _ in }
        var recording = record.recording
        recording.receive(1)
        #expect(record.recording.output == [])
        #expect(recording.output == [1])
        #expect(recorded(Record<Int, Oops>(recording: recording)).isFinished)
        #expect(recorded(Record<Int, Oops>(output: [], completion: .failure(.first)), .nothing).failure == .first)
    }

    @Test("a record is coded as Combine codes it")
    func recordCodes() throws {
        struct Broken: Error, Codable, Equatable { var code = 3 }
        let record = Record<Int, Broken>(output: [1, 2], completion: .failure(Broken()))
        let coder = JSONEncoder()
        coder.outputFormatting = .sortedKeys
        let data = try coder.encode(record)
        let text = #"{"recording":{"completion":{"error":{"code":3},"success":false},"output":[1,2]}}"#
        #expect(String(decoding: data, as: UTF8.self) == text)
        let read = try JSONDecoder().decode(Record<Int, Broken>.self, from: data)
        #expect(read.recording.output == [1, 2])
        #expect(read.recording.completion == .failure(Broken()))
    }

    @Test("a recording writes itself into a coder that it is given")
    func recordingWritesItself() throws {
        struct Whole: Encodable {
            let recording: Record<Int, Never>.Recording
            func encode(to encoder: any Encoder) throws { try recording.encode(into: encoder) }
        }
        let recording = Record<Int, Never>.Recording(output: [1, 2], completion: .finished)
        let coder = JSONEncoder()
        coder.outputFormatting = .sortedKeys
        #expect(try coder.encode(Whole(recording: recording)) == coder.encode(recording))
    }

    /// A subscriber that keeps its subscription beyond the end, which it should not.
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

    @Test("after the end a subscription keeps no subscriber, though that keeps the subscription")
    func letsGo() {
        weak var gone: KeepingSubscriber?
        do {
            let subscriber = KeepingSubscriber()
            [1, 2].publisher.subscribe(subscriber)
            #expect(subscriber.values == [1, 2])
            gone = subscriber
        }
        #expect(gone == nil)
    }

    @Test("a recording that is complete takes nothing more")
    func recordTraps() async {
        await #expect(processExitsWith: .failure) {
            var recording = Record<Int, Never>.Recording(output: [1], completion: .finished)
            recording.receive(2)
        }
        await #expect(processExitsWith: .failure) {
            var recording = Record<Int, Never>.Recording()
            recording.receive(completion: .finished)
            recording.receive(completion: .finished)
        }
    }

    @Test("the subscription of a sequence is described as the sequence, as long as there is more to come")
    func description() {
        let sequence = recorded([1, 2].publisher, .nothing)
        #expect("\(sequence.subscription)" == "[1, 2]")
        sequence.request(.max(1))
        #expect("\(sequence.subscription)" == "[1, 2]")
        sequence.request(.max(1))
        #expect("\(sequence.subscription)" == "Sequence")
        let children = Mirror(reflecting: recorded([1, 2].publisher, .nothing).subscription).children
        #expect(children.map(\.label) == ["sequence"])
        let record = recorded(Record<Int, Oops>(output: [1], completion: .finished), .nothing)
        #expect(Mirror(reflecting: record.subscription).children.map(\.label) == ["sequence", "completion"])
        record.cancel()
        #expect("\(record.subscription)" == "Cancelled Events")
        let inside = Log<String>()
        let recorder = Recorder<Int, Never> { recorder, _ in inside.append("\(recorder.subscription)") }
        (0...).publisher.prefix(1).subscribe(recorder)
        (7...8).publisher.subscribe(Recorder<Int, Never> { _, _ in })
        #expect(inside.items.count == 1)
        #expect("\(Just(1))".isEmpty == false)
        #expect("\(recorded(Just(1), .nothing).subscription)" == "Just")
    }

    @Test("to ask a sequence for nothing does nothing; to ask a single value for nothing is an error")
    func nothing() async {
        let sequence = recorded([1].publisher, .nothing)
        sequence.subscription.request(.none)
        #expect(sequence.values == [])
        await #expect(processExitsWith: .failure) {
            Just(1).subscribe(AnySubscriber(receiveSubscription: { $0.request(.none) }))
        }
    }
}
