extension Publishers {
    /// A publisher of the time from one value to the next.
    public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Operator, Attaching {
        /// What is sent.
        public typealias Output = Context.SchedulerTimeType.Stride
        /// Where the values come from; whose time it is.
        public let upstream: Upstream, scheduler: Context

        /// A publisher of the time from one value to the next.
        @inlinable public init(upstream: Upstream, scheduler: Context) { (self.upstream, self.scheduler) = (upstream, scheduler) }

        @inlinable __consuming func attach<S: Subscriber>(_ subscriber: __owned S) where S.Input == Output, S.Failure == Failure {
            let last = OperatorState(scheduler.now)
            upstream.subscribe(
                ScheduledSubscriber<Upstream.Output, S>(subscriber, named: "MeasureInterval") { [scheduler] line, event in
                    switch event {
                    case .value:
                        let (before, now) = (last.value, scheduler.now)
                        last.value = now
                        line.inlet.request(line.outlet.send(before.distance(to: now)))
                    case .completion(let completion): line.end(completion)
                    default: break
                    }
                })
        }
    }
}

extension Publisher {
    /// Sends, for each value, the time since the one before it; for the first, since the subscription.
    ///
    /// Nothing is scheduled, so that the options have no use.
    @inlinable public func measureInterval<S: Scheduler>(
        using scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.MeasureInterval<Self, S> { .init(upstream: self, scheduler: scheduler) }
}

// Sound where the upstream is: a scheduler is made to be used from any thread, and options are values.
extension Publishers.MeasureInterval: @unchecked Sendable where Upstream: Sendable {}
