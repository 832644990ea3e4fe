extension Publishers {
    /// A publisher that ends if its upstream sends no value for a while.
    public struct Timeout<Upstream: Publisher, Context: Scheduler>: Operator {
        @usableFromInline package let upstream: Upstream
        /// The longest time that may pass without a value.
        @usableFromInline let interval: Context.SchedulerTimeType.Stride
        /// The scheduler that measures the time and delivers values and completion.
        @usableFromInline let scheduler: Context
        /// The options that timer and deliveries are scheduled with.
        @usableFromInline let options: Context.SchedulerOptions?
        /// Creates the error to fail with when no value arrives in time; if nil, the publisher finishes.
        @usableFromInline let customError: (@Sendable () -> Upstream.Failure)?

        @inlinable package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            precondition(
                !(scheduler is ImmediateScheduler),
                "timeout(_:scheduler:): the time of ImmediateScheduler does not pass; use another scheduler")
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
                        let number = line.locked { line in
                            line.isOpen = false
                            return line.join(nil, end)
                        }
                        if let number { line.deliver(through: number) }
                    }
                    line.add(event) { scheduler.schedule(once: nil, tolerance: nil, options: options, $0) }
                })
        }
    }
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
    @preconcurrency public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (@Sendable () -> Failure)? = nil
    ) -> Publishers.Timeout<Self, S> {
        .init(upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
    }
}

// Sound if the upstream is Sendable: a scheduler may be used from any thread, and its options are values.
extension Publishers.Timeout: @unchecked Sendable where Upstream: Sendable {}
