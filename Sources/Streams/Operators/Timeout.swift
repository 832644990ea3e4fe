extension Publishers {
    /// A publisher that ends if its upstream is silent for too long.
    public struct Timeout<Upstream: Publisher, Context: Scheduler>: Operator, Attaching {
        /// Where the values come from; how long the upstream may be silent; whose time it is, and where values are delivered.
        public let upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context
        /// The options they are scheduled with; makes the error to fail with; without it, the publisher finishes.
        public let options: Context.SchedulerOptions?, customError: (@Sendable () -> Upstream.Failure)?

        /// A publisher that ends if its upstream is silent for too long.
        @preconcurrency @inlinable public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
            options: Context.SchedulerOptions?, customError: (@Sendable () -> Upstream.Failure)?
        ) {
            (self.upstream, self.interval, self.scheduler) = (upstream, interval, scheduler)
            (self.options, self.customError) = (options, customError)
        }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            precondition(
                !(scheduler is ImmediateScheduler),
                "timeout(_:scheduler:): the time of ImmediateScheduler is always up; use a scheduler whose time passes")
            upstream.subscribe(
                ScheduledSubscriber(subscriber, named: "Timeout") { [interval, scheduler, options, customError] line, event in
                    switch event {
                    case .turn: return
                    case .requested(_, isFirst: false): return
                    case .subscribed, .requested, .value:
                        line.setTimer { AnyCancellable(scheduler.schedule(interval: interval, options: options, $0)) }
                    case .completion: line.setTimer(nil)
                    case .tick:
                        guard line.inlet.cancel() else { return }
                        let end: Subscribers.Completion<Failure> = customError.map { .failure($0()) } ?? .finished
                        line.locked { $0.join(nil, end) }.map { line.deliver(through: $0) }
                    }
                    line.add(event) { scheduler.schedule(once: nil, tolerance: nil, options: options, $0) }
                })
        }
    }
}

extension Publisher {
    /// Finishes, or fails with the custom error, if no value comes for a while from the subscription, the first request or the
    /// last value, whether or not any are asked for. What comes is delivered on the scheduler, as soon as possible. An interval of
    /// no time, or less, is over as soon as possible; one too long to be counted never is (see ``Scheduler``).
    @preconcurrency @inlinable public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (@Sendable () -> Failure)? = nil
    ) -> Publishers.Timeout<Self, S> {
        .init(upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
    }
}

// Sound where the upstream is: a scheduler is made to be used from any thread, and options are values.
extension Publishers.Timeout: @unchecked Sendable where Upstream: Sendable {}
