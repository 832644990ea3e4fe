extension Publishers {
    /// A publisher that leaves out the first values.
    public struct Drop<Upstream: Publisher>: Operator, Attaching {
        /// Where the values come from; how many are left out.
        public let upstream: Upstream, count: Int

        /// A publisher that leaves out the first values.
        @inlinable @inline(__always) public init(upstream: Upstream, count: Int) {
            (self.upstream, self.count) = (upstream, count)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            precondition(count >= 0, "dropFirst(\(count)): a number of values cannot be negative")
            let drop = DropSubscriber(subscriber, count: count)
            drop.outlet.send(subscription: drop)
            upstream.subscribe(drop)
        }
    }

    /// A publisher that leaves out the first values as long as they satisfy a predicate, which may throw.
    public struct ThrowingDropWhile<Upstream: Publisher, Thrown: Error, Failure: Error>: Operator, Attaching {
        /// Where the values come from; whether a value is left out; not asked any more after the first that is not.
        public let upstream: Upstream, predicate: @Sendable (Upstream.Output) throws(Thrown) -> Bool
        /// A publisher that leaves out the first values as long as they satisfy a predicate.
        @preconcurrency @inlinable
        public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Thrown) -> Bool) {
            (self.upstream, self.predicate) = (upstream, predicate)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let isDropping = OperatorState(true)
            let name: StaticString = Thrown.self == Never.self ? "DropWhile" : "TryDropWhile"
            upstream.step(into: subscriber, as: name, isStrict: false) { [predicate] value throws(Thrown) in
                if isDropping.value, try predicate(value) { return .skip }
                isDropping.value = false
                return .send(value)
            }
        }
    }

    /// For a predicate that does not throw.
    public typealias DropWhile<Upstream: Publisher> = ThrowingDropWhile<Upstream, Never, Upstream.Failure>
    /// For a predicate that may throw anything.
    public typealias TryDropWhile<Upstream: Publisher> = ThrowingDropWhile<Upstream, any Error, any Error>
}

extension Publishers.Drop: Sendable where Upstream: Sendable {}
extension Publishers.Drop: Equatable where Upstream: Equatable {}

extension Publishers.ThrowingDropWhile: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Leaves out so many values at first, which are asked for in addition to what the subscriber asks for.
    @inlinable @inline(__always)
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> { .init(upstream: self, count: count) }
    /// Leaves out the first values as long as they satisfy a predicate: `[1, 2, 3, 1].publisher.drop { $0 < 3 }` sends 3, 1.
    @preconcurrency @inlinable
    public func drop(while predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.DropWhile<Self> {
        .init(upstream: self, predicate: predicate)
    }
    /// Like ``drop(while:)``, but fails with what the closure throws.
    @preconcurrency @inlinable
    public func tryDrop(while predicate: @escaping @Sendable (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
        .init(upstream: self, predicate: predicate)
    }

    /// Like ``drop(while:)``, but fails with what the closure throws, and only with that kind of error.
    @preconcurrency @inlinable public func tryDrop<E>(
        while predicate: @escaping @Sendable (Output) throws(E) -> Bool
    ) -> Publishers.ThrowingDropWhile<Self, E, E> where Failure == Never { .init(upstream: self, predicate: predicate) }

    /// Like ``drop(while:)``, but fails with what the closure throws, which is what the upstream fails with.
    @preconcurrency @inlinable @_disfavoredOverload public func tryDrop(
        while predicate: @escaping @Sendable (Output) throws(Failure) -> Bool
    ) -> Publishers.ThrowingDropWhile<Self, Failure, Failure> { .init(upstream: self, predicate: predicate) }
}

/// Asks for the values to drop together with what its downstream asks for before the upstream is there.
@usableFromInline final class DropSubscriber<Downstream: Subscriber>: Intercepting<Downstream>, @unchecked Sendable {
    // Sound: as the base class says.
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

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        inlet.request(demand)
    }
}
