extension Publishers {
    /// A publisher that omits the first values.
    public struct Drop<Upstream: Publisher>: Operator {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let count: Int

        @inlinable @inline(__always) init(_ upstream: Upstream, _ count: Int) {
            self.upstream = upstream
            self.count = count
        }

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            precondition(count >= 0, "dropFirst(\(count)): the count must be zero or more")
            let drop = DropSubscriber(subscriber, count: count)
            drop.outlet.send(subscription: drop)
            upstream.subscribe(drop)
        }
    }

    /// A publisher that omits values until one does not satisfy a predicate.
    public typealias DropWhile<Upstream: Publisher> = Stepping<Upstream, Upstream.Output, Never, Upstream.Failure>

    /// A publisher that omits values until one does not satisfy a predicate, which may throw any error.
    public typealias TryDropWhile<Upstream: Publisher> = Stepping<Upstream, Upstream.Output, any Error, any Error>
}

extension Publishers.Drop: Sendable where Upstream: Sendable {}

extension Publishers.Stepping where Output == Upstream.Output {
    /// Creates the publisher of `drop(while:)`.
    @inlinable init(dropping upstream: Upstream, while predicate: @escaping @Sendable (Output) throws(Thrown) -> Bool) {
        self.init(upstream, named: Thrown.self == Never.self ? "DropWhile" : "TryDropWhile", isStrict: false) {
            let isDropping = OperatorState(true)
            return { (value: Output) throws(Thrown) in
                if isDropping.value, try predicate(value) { return .skip }
                isDropping.value = false
                return .send(value)
            }
        }
    }
}

extension Publisher {
    /// Omits the first values. They are requested in addition to the downstream's demand.
    /// - Parameter count: The number of values to omit; zero or more.
    @inlinable @inline(__always) public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> { .init(self, count) }

    /// Omits values until one does not satisfy a predicate: `[1, 2, 3, 1].publisher.drop { $0 < 3 }` sends 3, 1.
    @preconcurrency @inlinable
    public func drop(while predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.DropWhile<Self> {
        .init(dropping: self, while: predicate)
    }

    /// Like ``drop(while:)``, but fails with the error that the closure throws.
    @preconcurrency @inlinable
    public func tryDrop(while predicate: @escaping @Sendable (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
        .init(dropping: self, while: predicate)
    }

    /// Like ``drop(while:)``, but fails with the error that the closure throws, and only with errors of that type.
    @preconcurrency @inlinable public func tryDrop<E>(
        while predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.Stepping<Self, Output, E, E> where Failure == Never { .init(dropping: self, while: predicate) }

    /// Like ``drop(while:)``, but fails with the error that the closure throws, which has the upstream's failure type.
    @preconcurrency @inlinable @_disfavoredOverload public func tryDrop(
        while predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.Stepping<Self, Output, Failure, Failure> { .init(dropping: self, while: predicate) }
}

/// Requests the values to drop together with those that the downstream requests before the upstream's subscription arrives. The
/// downstream receives its subscription first, so that both become a single request.
@usableFromInline final class DropSubscriber<Downstream: Subscriber>: Intercepting<Downstream>, @unchecked Sendable {
    // Sound: see the base class.
    @exclusivity(unchecked) @usableFromInline var toDrop: Int

    @inlinable init(_ downstream: Downstream, count: Int) {
        toDrop = count
        super.init(downstream, named: "Drop")
        inlet.request(.max(count))
    }

    @inlinable override func receive(subscription: any Subscription) { inlet.fill(subscription) }

    @inlinable override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard toDrop == 0 else {
            toDrop -= 1
            return .none
        }
        return outlet.send(input)
    }

    override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        inlet.request(demand)
    }
}
