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
        public __consuming func receive<S: Subscriber>(subscriber: __owned S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(FirstSubscriber(subscriber, named: "First") { _ in true })
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
        public __consuming func receive<S: Subscriber>(subscriber: __owned S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(FirstSubscriber(subscriber, named: "First", predicate: predicate))
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

/// Needs one value of its downstream and as many as it takes of its upstream.
@usableFromInline
final class FirstSubscriber<Downstream: Subscriber>: InterceptingSubscriber<Downstream.Input, Downstream>,
    @unchecked Sendable
{
    // Sound: as the base class says.
    @usableFromInline let predicate: @Sendable (Downstream.Input) -> Bool
    @exclusivity(unchecked) @usableFromInline var isDone = false

    @inlinable
    init(_ downstream: Downstream, named name: String, predicate: @escaping @Sendable (Downstream.Input) -> Bool) {
        self.predicate = predicate
        super.init(downstream, named: name)
    }

    @inlinable
    override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard !isDone, !inlet.isEnded else { return .none }
        guard predicate(input) else { return .max(1) }
        isDone = true
        _ = outlet.send(input)
        finish(.finished)
        return .none
    }
}
