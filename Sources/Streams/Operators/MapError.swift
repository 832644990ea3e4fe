extension Publishers {
    /// A publisher that transforms the error of its upstream.
    public struct MapError<Upstream: Publisher, Failure: Error>: Operator {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let transform: @Sendable (Upstream.Failure) -> Failure

        @inlinable @inline(__always)
        init(_ upstream: Upstream, _ transform: @escaping @Sendable (Upstream.Failure) -> Failure) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream._receive(trusting: MapErrorSubscriber(subscriber, transform), named: "MapError")
        }
    }

    /// A publisher that cannot fail, with another failure type.
    public typealias SetFailureType<Upstream: Publisher, Failure: Error> =
        MapError<Upstream, Failure> where Upstream.Failure == Never

    /// A publisher that stops the program when its upstream fails.
    public typealias AssertNoFailure<Upstream: Publisher> = MapError<Upstream, Never>
}

extension Publishers.MapError: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Transforms the error that this publisher fails with.
    @preconcurrency @inlinable @inline(__always)
    public func mapError<E: Error>(_ transform: @escaping @Sendable (Failure) -> E) -> Publishers.MapError<Self, E> {
        .init(self, transform)
    }

    /// Stops the program with a message, in release builds too, when this publisher fails. Use it where a failure is a
    /// programming error.
    /// - Parameters:
    ///   - prefix: The beginning of the message, before the error; empty for none.
    ///   - file: The file that the message names.
    ///   - line: The line that the message names.
    public func assertNoFailure(
        _ prefix: String = "", file: StaticString = #file, line: UInt = #line
    ) -> Publishers.AssertNoFailure<Self> {
        mapError { error in fatalError("\(prefix.isEmpty ? "" : prefix + ": ")\(error)", file: file, line: line) }
    }
}

extension Publisher where Failure == Never {
    /// Changes the failure type of this publisher, which cannot fail, so that it can be combined with publishers that can.
    @inlinable @inline(__always)
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        mapError { (_: Never) -> E in }
    }
}

/// Transforms the error.
@usableFromInline struct MapErrorSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: @Sendable (Failure) -> Downstream.Failure

    @inlinable @inline(__always)
    init(_ downstream: Downstream, _ transform: @escaping @Sendable (Failure) -> Downstream.Failure) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable @inline(never) func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
    @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }

    @inlinable @inline(never) func receive(completion: Subscribers.Completion<Failure>) {
        downstream.receive(completion: completion.error.map { .failure(transform($0)) } ?? .finished)
    }

    @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
    @inlinable var _subscriberContext: (any _SubscriberContext)? { downstream._subscriberContext }
}
