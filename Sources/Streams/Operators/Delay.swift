extension Publishers {
    /// A publisher that delivers values and completion on a scheduler, after a delay.
    public typealias Delay<Upstream: Publisher, Context: Scheduler> = Scheduled<Upstream, Upstream.Output>

    /// A publisher that delivers values and completion on a scheduler.
    public typealias ReceiveOn<Upstream: Publisher, Context: Scheduler> = Scheduled<Upstream, Upstream.Output>
}

extension Publisher {
    /// Delivers values and completion after a delay, in order. A cancellation drops those that are still waiting.
    ///
    /// After a delay of zero or less, deliveries happen as soon as possible; after one too long to be represented, never (see
    /// ``Scheduler``).
    /// - Parameters:
    ///   - interval: The delay.
    ///   - tolerance: The longest time by which the delay may be longer; nil for the scheduler's minimum tolerance.
    ///   - scheduler: Measures the time and delivers values and completion.
    ///   - options: The options that deliveries are scheduled with.
    @inlinable public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, S> {
        let tolerance = tolerance ?? scheduler.minimumTolerance
        return .init(self, named: "Delay") {
            { line, event in
                line.add(event) {
                    scheduler.schedule(once: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, $0)
                }
            }
        }
    }

    /// Delivers values and completion on a scheduler, in order and one at a time, even on a concurrent queue.
    /// - Parameters:
    ///   - scheduler: Delivers values and completion.
    ///   - options: The options that deliveries are scheduled with.
    @inlinable public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> {
        .init(self, named: "ReceiveOn") {
            { line, event in
                line.add(event) { scheduler.schedule(once: nil, tolerance: nil, options: options, $0) }
            }
        }
    }
}
