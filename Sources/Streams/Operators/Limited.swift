import Synchronization

extension Publishers {
    /// A publisher that subscribes to its upstream when a ``RateLimiter`` permits it.
    public struct Limited<Upstream: Publisher, Context: Scheduler>: Operator, Attaching
    where Context.SchedulerTimeType: Sendable, Context.SchedulerTimeType.Stride: Sendable {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The limiter that decides when a subscription begins.
        public let limiter: RateLimiter<Context>
        /// The number of subscriptions that may wait for the limiter; unlimited if nil.
        public let waiting: Int?
        /// Creates the error to fail with when too many subscriptions wait.
        public let customError: (@Sendable (RateLimitError<Context.SchedulerTimeType.Stride>) -> Upstream.Failure)?

        @inlinable init(
            _ upstream: Upstream, _ limiter: RateLimiter<Context>, _ waiting: Int?,
            _ customError: (@Sendable (RateLimitError<Context.SchedulerTimeType.Stride>) -> Upstream.Failure)?
        ) {
            self.upstream = upstream
            self.limiter = limiter
            self.waiting = waiting
            self.customError = customError
        }

        /// Creates a publisher that subscribes to its upstream when a limiter permits it.
        @inlinable public init(upstream: Upstream, limiter: RateLimiter<Context>) { self.init(upstream, limiter, nil, nil) }

        /// Creates a publisher that subscribes to its upstream when a limiter permits it, or fails at once if too many
        /// subscriptions wait.
        @inlinable public init(
            upstream: Upstream, limiter: RateLimiter<Context>, waiting: Int,
            customError: @escaping @Sendable (RateLimitError<Context.SchedulerTimeType.Stride>) -> Upstream.Failure
        ) {
            precondition(
                waiting >= 0, "limited(by:waiting: \(waiting)): the number of waiting subscriptions must be zero or more")
            self.init(upstream, limiter, waiting, customError)
        }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let limited = LimitedSubscriber(subscriber) { [limiter] in limiter.leave($0) }
            guard limited.open(upstream) else { return }
            switch limiter.arrive(limited, limit: waiting) {
            case .begins: BoundedNesting.run { limited.begin() }
            case .waits: limited.settle()
            case .isRefused:
                guard let waiting, let customError else { return }
                let error = RateLimitError(count: limiter.count, interval: limiter.interval, waiting: waiting)
                BoundedNesting.run { limited.refuse(customError(error)) }
            }
        }
    }
}

// Sound if the upstream is Sendable: a limiter may be used from any thread, and the closure is Sendable.
extension Publishers.Limited: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Subscribes to this publisher when a limiter permits it: at once, or after the subscriptions that arrived earlier.
    ///
    /// A waiting subscription that is cancelled leaves the line and takes no turn. A subscription that has waited begins on the
    /// limiter's scheduler. Each attempt of a `retry` downstream takes a turn of its own.
    /// ```swift
    /// server.search(text).limited(by: world.limiter)
    /// ```
    /// - Parameter limiter: The limiter that this publisher shares with others.
    @inlinable public func limited<S: Scheduler>(by limiter: RateLimiter<S>) -> Publishers.Limited<Self, S> {
        .init(upstream: self, limiter: limiter)
    }

    /// Subscribes to this publisher when a limiter permits it, or fails at once if too many subscriptions wait.
    /// ```swift
    /// server.search(text).limited(by: world.limiter, waiting: 100) { .busy($0) }
    /// ```
    /// - Parameters:
    ///   - limiter: The limiter that this publisher shares with others.
    ///   - waiting: The number of subscriptions that may wait for the limiter, including this one; zero or more. With zero, a
    ///     subscription begins at once or fails.
    ///   - customError: Creates the error to fail with, given the limiter's settings and the number that may wait. Called on the
    ///     thread that subscribes.
    @inlinable public func limited<S: Scheduler>(
        by limiter: RateLimiter<S>, waiting: Int,
        customError: @escaping @Sendable (RateLimitError<S.SchedulerTimeType.Stride>) -> Failure
    ) -> Publishers.Limited<Self, S> {
        .init(upstream: self, limiter: limiter, waiting: waiting, customError: customError)
    }
}

extension Publisher where Failure == Never {
    /// Like ``limited(by:waiting:customError:)``, but fails with the ``RateLimitError`` itself, since this publisher has no
    /// errors of its own.
    ///
    /// - Parameters:
    ///   - limiter: The limiter that this publisher shares with others.
    ///   - waiting: The number of subscriptions that may wait for the limiter, including this one; zero or more.
    @inlinable public func limited<S: Scheduler>(
        by limiter: RateLimiter<S>, waiting: Int
    ) -> Publishers.Limited<Publishers.SetFailureType<Self, RateLimitError<S.SchedulerTimeType.Stride>>, S> {
        setFailureType(to: RateLimitError.self).limited(by: limiter, waiting: waiting) { $0 }
    }
}

/// A subscription that may have to wait for a limiter. The downstream receives its subscription before the wait.
@usableFromInline final class LimitedSubscriber<Downstream: Subscriber>: Intercepting<Downstream>, RateWaiter, @unchecked Sendable
{
    // Sound: see the base class. `start` is behind its lock, and `place` behind the limiter's.
    @usableFromInline typealias Start = (LimitedSubscriber) -> Void
    @usableFromInline @exclusivity(unchecked) var place: Int?
    /// Subscribes to the upstream. Set by ``open(_:)``; removed when it is used, or when the subscription is cancelled or
    /// rejected.
    @usableFromInline let start = Lock(UncheckedBox<Start?>(nil))
    @usableFromInline let leaveLine: (LimitedSubscriber) -> Void

    @inlinable init(_ downstream: Downstream, leave: @escaping (LimitedSubscriber) -> Void) {
        leaveLine = leave
        super.init(downstream, named: "Limited")
    }

    /// Sends the downstream its subscription. Returns false if the downstream has cancelled it already.
    @inlinable func open(_ upstream: some Publisher<Downstream.Input, Downstream.Failure>) -> Bool {
        start.withLock { $0.value = { upstream.subscribe($0) } }
        outlet.send(subscription: self)
        return !outlet.isClosed
    }

    @usableFromInline func begin() { WorkContext.bind(for: outlet.context) { takeStart()?(self) } }

    /// Called when this subscription has been put in line. Leaves the line again if the downstream cancelled before that.
    @inlinable func settle() { if outlet.isClosed { leaveLine(self) } }

    @inlinable func refuse(_ error: Downstream.Failure) {
        discard(takeStart())
        finish(.failure(error))
    }

    @usableFromInline func takeStart() -> Start? { start.withLock { UncheckedTransfer($0.value.take()) }.value }

    @inlinable override func receive(subscription: any Subscription) { inlet.fill(subscription) }
    @inlinable override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        inlet.isEnded ? .none : outlet.send(input)
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        inlet.request(demand)
    }

    @usableFromInline override func cancel() {
        super.cancel()
        if let start = takeStart() {
            leaveLine(self)
            discard(start)
        }
    }

    @usableFromInline override var isSpent: Bool { outlet.isClosed }
}
