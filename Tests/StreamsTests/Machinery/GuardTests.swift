import Streams
import Testing

@Suite("The guard at a publisher of somebody else's")
struct GuardTests {
    /// How the subscriber of a publisher describes itself before it has a subscription, and after.
    private func descriptions<P: Publisher>(_ attach: (Foreign) -> P) -> [String] {
        let foreign = Foreign()
        attach(foreign).subscribe(AnySubscriber(receiveSubscription: nil, receiveValue: nil, receiveCompletion: nil))
        return foreign.seen
    }

    @Test("goes by the operator's name until the subscription comes, and as that from then on")
    func names() {
        #expect(descriptions { $0.map { $0 } } == ["Map", "Foreign"])
        #expect(descriptions { $0.map(\.self) } == ["Map", "Foreign"])
        #expect(descriptions { $0.filter { _ in true } } == ["Filter", "Foreign"])
        #expect(descriptions { $0.compactMap { $0 } } == ["CompactMap", "Foreign"])
        #expect(descriptions { $0.scan(0, +) } == ["Scan", "Foreign"])
        #expect(descriptions { $0.mapError { $0 } } == ["MapError", "Foreign"])
        #expect(descriptions { $0.ignoreOutput() } == ["IgnoreOutput", "Foreign"])
        #expect(descriptions { $0.assertNoFailure() } == ["AssertNoFailure", "Foreign"])
        #expect(descriptions { $0.breakpointOnError() } == ["Breakpoint", "Foreign"])
        #expect(descriptions { $0.replaceError(with: 1) } == ["ReplaceError", "Foreign"])
        #expect(descriptions { $0.retry(1) } == ["Retry", "Foreign"])
        #expect(descriptions { $0.eraseToAnyPublisher() } == ["AnyPublisher", "Foreign"])
        #expect(descriptions { foreign in Deferred { foreign } } == ["Deferred", "Foreign"])
    }

    @Test("keeps the name of an operator whose own subscription the downstream is to see")
    func ownNames() {
        #expect(descriptions { $0.removeDuplicates() } == ["RemoveDuplicates", "RemoveDuplicates"])
        #expect(descriptions { $0.first() } == ["First", "First"])
    }

    private final class Foreign: Publisher, @unchecked Sendable {
        // Sound: used by one thread.
        typealias Output = Int
        typealias Failure = Oops
        var seen: [String] = []

        func receive<S: Subscriber<Int, Oops>>(subscriber: S) {
            seen.append("\(subscriber)")
            subscriber.receive(subscription: Given())
            seen.append("\(subscriber)")
        }
    }

    private struct Given: Subscription, CustomStringConvertible {
        let combineIdentifier = CombineIdentifier()
        let description = "Foreign"
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
    }
}
