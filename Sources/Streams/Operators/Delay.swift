extension Publishers {
    /// A publisher that delivers values and completion after a delay.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The delay of values and completion.
        public let interval: Context.SchedulerTimeType.Stride
        /// The tolerance by which the delay may be longer.
        public let tolerance: Context.SchedulerTimeType.Stride
        /// The scheduler that measures the time and delivers values and completion.
        public let scheduler: Context
        /// The options that deliveries are scheduled with.
        public let options: Context.SchedulerOptions?

        /// Creates a publisher that delivers values and completion after a delay.
        @inlinable public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride,
            scheduler: Context, options: Context.SchedulerOptions? = nil
        ) {
            self.upstream = upstream
            self.interval = interval
            self.tolerance = tolerance
            self.scheduler = scheduler
            self.options = options
        }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.subscribe(
                ScheduledSubscriber(subscriber, named: "Delay") { [interval, tolerance, scheduler, options] line, event in
                    line.add(event) { action in
                        let date = scheduler.now.advanced(by: interval)
                        return scheduler.schedule(once: date, tolerance: tolerance, options: options, action)
                    }
                })
        }
    }
}

extension Publisher {
    /// Delivers values and completion after a delay, in order. A cancellation drops what is still waiting.
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
        return .init(upstream: self, interval: interval, tolerance: tolerance, scheduler: scheduler, options: options)
    }
}

// Sound if the upstream is Sendable: a scheduler may be used from any thread, and its options are values.
extension Publishers.Delay: @unchecked Sendable where Upstream: Sendable {}
