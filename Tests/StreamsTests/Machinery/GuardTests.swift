import MoonlightTestSupport
import Streams
import Testing

@Suite("Grammar guard of a publisher from another module")
struct GuardTests {
    /// Returns the descriptions of a publisher's subscriber before it has a subscription, and after.
    private func descriptions<P: Publisher>(_ attach: (Foreign) -> P) -> [String] {
        let foreign = Foreign()
        attach(foreign).subscribe(AnySubscriber(receiveSubscription: nil, receiveValue: nil, receiveCompletion: nil))
        return foreign.seen
    }

    @Test("The guard is described by the operator's name until the subscription arrives, and then by the subscription's")
    func names() {
        expectEqual(descriptions { $0.map { $0 } }, ["CompactMap", "Foreign"])
        expectEqual(descriptions { $0.map(\.self) }, ["CompactMap", "Foreign"])
        expectEqual(descriptions { $0.filter { _ in true } }, ["CompactMap", "Foreign"])
        expectEqual(descriptions { $0.compactMap { $0 } }, ["CompactMap", "Foreign"])
        expectEqual(descriptions { $0.scan(0, +) }, ["Scan", "Foreign"])
        expectEqual(descriptions { $0.mapError { $0 } }, ["MapError", "Foreign"])
        expectEqual(descriptions { $0.assertNoFailure() }, ["MapError", "Foreign"])
        expectEqual(descriptions { $0.eraseToAnyPublisher() }, ["AnyPublisher", "Foreign"])
        expectEqual(descriptions { foreign in Deferred { foreign } }, ["Deferred", "Foreign"])
    }

    @Test("The guard keeps the name of an operator that passes its own subscription to the downstream")
    func ownNames() {
        expectEqual(descriptions { $0.removeDuplicates() }, ["RemoveDuplicates", "RemoveDuplicates"])
        expectEqual(descriptions { $0.first() }, ["First", "First"])
        expectEqual(descriptions { $0.replaceError(with: 1) }, ["ReplaceError", "ReplaceError"])
        expectEqual(descriptions { $0.retry(1) }, ["Retry", "Retry"])
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
