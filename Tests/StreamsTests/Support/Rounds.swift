import Streams

/// A subscriber that, each time it completes, does something that makes it subscribe again, until it has done so often enough.
final class Rounds<Failure: Error>: Subscriber, @unchecked Sendable {
    // Sound: used by one thread.
    typealias Input = Int
    private let limit: Int
    private let again: (Rounds) -> Void
    private(set) var count = 0

    init(_ limit: Int, _ again: @escaping (Rounds) -> Void) {
        self.limit = limit
        self.again = again
    }

    func next() { again(self) }
    func receive(subscription: any Subscription) { subscription.request(.unlimited) }
    func receive(_ input: Int) -> Subscribers.Demand { .none }

    func receive(completion: Subscribers.Completion<Failure>) {
        count += 1
        if count < limit { again(self) }
    }
}
