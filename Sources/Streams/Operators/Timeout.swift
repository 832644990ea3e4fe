extension Publishers {
    /// A publisher that ends if its upstream sends no value for a while.
    public typealias Timeout<Upstream: Publisher, Context: Scheduler> = Scheduled<Upstream, Upstream.Output>
}

extension Publisher {
    /// Finishes, or fails with a custom error, if no value arrives for a while after the subscription, the first request or the
    /// last value, whether or not values are requested.
    ///
    /// Values and completion are delivered on the scheduler, as soon as possible. An interval of zero or less is over as soon as
    /// possible; one too long to be represented never is (see ``Scheduler``).
    /// - Parameters:
    ///   - interval: The longest time without an event of the upstream.
    ///   - scheduler: Measures the time and delivers values and completion. It must not be an ``ImmediateScheduler``.
    ///   - options: The options that timer and deliveries are scheduled with.
    ///   - customError: Creates the error to fail with; nil to finish. Called on the scheduler.
    @preconcurrency @inlinable public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (@Sendable () -> Failure)? = nil
    ) -> Publishers.Timeout<Self, S> {
        .init(self, named: "Timeout") {
            precondition(
                !(scheduler is ImmediateScheduler),
                "timeout(_:scheduler:): the time of ImmediateScheduler does not pass; use another scheduler")
            return { line, event in
                switch event {
                case .turn: return
                case .requested(_, isFirst: false): return
                case .subscribed, .requested, .value:
                    line.setTimer { AnyCancellable(scheduler.schedule(interval: interval, options: options, $0)) }
                case .completion: line.setTimer(nil)
                case .tick:
                    guard line.inlet.cancelOnce() else { return }
                    let end: Subscribers.Completion<Failure> = customError.map { .failure($0()) } ?? .finished
                    let number = line.locked { line in
                        line.isOpen = false
                        return line.join(nil, end)
                    }
                    if let number { line.deliver(through: number) }
                }
                line.add(event) { scheduler.schedule(once: nil, tolerance: nil, options: options, $0) }
            }
        }
    }
}
