import Streams

extension Publishers {
    /// A publisher that subscribes to its upstream when a ``RateLimiter`` permits it.
    public struct Limited<Upstream: Publisher, Context: Scheduler>: Publisher
    where Context.SchedulerTimeType: Sendable, Context.SchedulerTimeType.Stride: Sendable {
        /// The type of the values sent.
        public typealias Output = Upstream.Output
        /// The type of the error that the publisher may fail with.
        public typealias Failure = Upstream.Failure
        let upstream: Upstream
        /// The limiter that decides when a subscription begins.
        let limiter: RateLimiter<Context>
        /// The number of subscriptions that may wait for the limiter; unlimited if nil.
        let waiting: Int?
        /// Creates the error to fail with when too many subscriptions wait.
        let customError: (@Sendable (RateLimitError<Context.SchedulerTimeType.Stride>) -> Upstream.Failure)?

        /// Attaches a subscriber, which receives its subscription before the wait.
        public func receive(subscriber: some Subscriber<Upstream.Output, Upstream.Failure>) {
            let turn = Permission<Upstream.Output, Upstream.Failure> { [limiter, waiting, customError] subscription in
                switch limiter.arrive(subscription, limit: waiting) {
                case .begins: subscription.begin()
                case .waits: subscription.whenCancelled { limiter.leave($0) }
                case .isRefused:
                    guard let waiting, let customError else { return }
                    let error = RateLimitError(count: limiter.count, interval: limiter.interval, waiting: waiting)
                    subscription.complete(with: .failure(customError(error)))
                }
            }
            upstream.prepend(turn).receive(subscriber: subscriber)
        }
    }
}

// Sound if the upstream is Sendable: a limiter may be used from any thread, and the closure is Sendable.
extension Publishers.Limited: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Subscribes to this publisher when a limiter permits it: at once, or after the subscriptions that arrived earlier.
    ///
    /// A waiting subscription that is cancelled leaves the line and takes no turn. A subscription that has waited begins on the
    /// limiter's scheduler. Each attempt of a `retry` downstream takes a separate turn.
    /// ```swift
    /// server.search(text).limited(by: world.limiter)
    /// ```
    /// - Parameter limiter: The limiter that this publisher shares with others.
    public func limited<S: Scheduler>(by limiter: RateLimiter<S>) -> Publishers.Limited<Self, S> {
        .init(upstream: self, limiter: limiter, waiting: nil, customError: nil)
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
    public func limited<S: Scheduler>(
        by limiter: RateLimiter<S>, waiting: Int,
        customError: @escaping @Sendable (RateLimitError<S.SchedulerTimeType.Stride>) -> Failure
    ) -> Publishers.Limited<Self, S> {
        precondition(waiting >= 0, "limited(by:waiting: \(waiting)): the number of waiting subscriptions must be zero or more")
        return .init(upstream: self, limiter: limiter, waiting: waiting, customError: customError)
    }
}

extension Publisher where Failure == Never {
    /// Like ``limited(by:waiting:customError:)``, but fails with the ``RateLimitError`` itself, since this publisher cannot
    /// fail.
    ///
    /// - Parameters:
    ///   - limiter: The limiter that this publisher shares with others.
    ///   - waiting: The number of subscriptions that may wait for the limiter, including this one; zero or more.
    public func limited<S: Scheduler>(
        by limiter: RateLimiter<S>, waiting: Int
    ) -> Publishers.Limited<Publishers.SetFailureType<Self, RateLimitError<S.SchedulerTimeType.Stride>>, S> {
        setFailureType(to: RateLimitError.self).limited(by: limiter, waiting: waiting) { $0 }
    }
}
