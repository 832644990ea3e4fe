extension Publishers {
    /// A publisher that delivers everything a while later.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: Operator, Attaching {
        /// Where the values come from; how much later; how much that may vary.
        public let upstream: Upstream, interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride
        /// Whose time it is, and where values are delivered; the options they are scheduled with.
        public let scheduler: Context, options: Context.SchedulerOptions?

        /// A publisher that delivers everything a while later.
        @inlinable public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride,
            scheduler: Context, options: Context.SchedulerOptions? = nil
        ) {
            (self.upstream, self.interval, self.tolerance) = (upstream, interval, tolerance)
            (self.scheduler, self.options) = (scheduler, options)
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
    /// Delivers values and completion a while later, in order. What waits is dropped on cancellation.
    ///
    /// The tolerance says how much later it may be still: the scheduler's least, if nil. After no time, or less, is as soon as
    /// possible; after a span too long to be counted is never (see ``Scheduler``).
    @inlinable public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, S> {
        let tolerance = tolerance ?? scheduler.minimumTolerance
        return .init(upstream: self, interval: interval, tolerance: tolerance, scheduler: scheduler, options: options)
    }
}

// Sound where the upstream is: a scheduler is made to be used from any thread, and options are values.
extension Publishers.Delay: @unchecked Sendable where Upstream: Sendable {}
