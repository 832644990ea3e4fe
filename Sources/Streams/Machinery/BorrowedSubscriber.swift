/// A noncopyable holder of a subscriber, which avoids reference counting in deliveries. A subscriber is a struct of closures and
/// references, and Swift copies a copyable struct out of a mutable field before it calls a method on it: a retain and a release
/// of each reference for each value, which cost more than all else. A noncopyable value is borrowed instead.
@usableFromInline struct BorrowedSubscriber<Downstream: Subscriber>: ~Copyable {
    @usableFromInline let downstream: Downstream
    @inlinable @inline(__always) init(_ downstream: Downstream) { self.downstream = downstream }
    @inlinable @inline(__always)
    borrowing func receive(_ value: Downstream.Input) -> Subscribers.Demand { downstream.receive(value) }

    @inlinable @inline(__always) borrowing func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        downstream.receive(completion: completion)
    }
    @inlinable @inline(__always)
    borrowing func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
}
