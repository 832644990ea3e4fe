extension Publishers {
    /// A publisher of the first value only.
    public struct First<Upstream: Publisher>: Publisher {
        /// What is sent.
        public typealias Output = Upstream.Output
        /// How it may fail.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// A publisher of the first value only.
        @inlinable @inline(__always)
        public init(upstream: Upstream) { self.upstream = upstream }

        /// Attaches a subscriber.
        @inlinable @inline(__always)
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(FirstSubscriber(subscriber) { _ in true })
        }
    }

    /// A publisher of the first value that satisfies a predicate.
    public struct FirstWhere<Upstream: Publisher>: Publisher {
        /// What is sent.
        public typealias Output = Upstream.Output
        /// How it may fail.
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// Whether a value is the one.
        public let predicate: @Sendable (Output) -> Bool

        /// A publisher of the first value that satisfies a predicate.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, predicate: @escaping @Sendable (Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches a subscriber.
        @inlinable @inline(__always)
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(FirstSubscriber(subscriber, predicate: predicate))
        }
    }
}

extension Publishers.First: Sendable where Upstream: Sendable {}
extension Publishers.First: Equatable where Upstream: Equatable {}
extension Publishers.FirstWhere: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends the first value, then cancels the upstream and finishes; finishes without it if there is none.
    @inlinable @inline(__always)
    public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }

    /// Sends the first value that satisfies a predicate, then cancels the upstream and finishes.
    ///
    /// ```swift
    /// (1...).publisher.first { $0.isMultiple(of: 7) }  // 7
    /// ```
    @preconcurrency @inlinable @inline(__always)
    public func first(where predicate: @escaping @Sendable (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        Publishers.FirstWhere(upstream: self, predicate: predicate)
    }
}

/// Takes as many values of its upstream as it needs to find one for its downstream.
@usableFromInline
final class FirstSubscriber<Downstream: Subscriber>:
    InterceptingSubscriber<Downstream.Input, FirstDownstream<Downstream>>, @unchecked Sendable
{
    // Sound: as the base class says.
    @inlinable
    init(_ downstream: Downstream, predicate: @escaping @Sendable (Downstream.Input) -> Bool) {
        super.init(FirstDownstream(downstream: downstream, predicate: predicate), named: "First")
    }

    @inlinable
    override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        let demand = outlet.send(input)
        if demand == .none { finish(.finished) }
        return demand
    }
}

/// The predicate lives with the downstream, so that both are let go in one step.
@usableFromInline
struct FirstDownstream<Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let predicate: @Sendable (Downstream.Input) -> Bool
    @usableFromInline let isFound = Remembered(false)

    @inlinable
    init(downstream: Downstream, predicate: @escaping @Sendable (Downstream.Input) -> Bool) {
        self.downstream = downstream
        self.predicate = predicate
    }

    /// - Returns: One more, as long as none is found.
    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard !isFound.value else { return .none }
        guard predicate(input) else { return .max(1) }
        isFound.value = true
        _ = downstream.receive(input)
        return .none
    }
}
