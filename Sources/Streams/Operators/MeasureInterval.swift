extension Publishers {
    /// A publisher that sends the time between successive values.
    public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Operator {
        /// A time span of the scheduler.
        public typealias Output = Context.SchedulerTimeType.Stride
        @usableFromInline package let upstream: Upstream
        /// The scheduler that measures the time.
        @usableFromInline let scheduler: Context

        @inlinable package __consuming func attach<S: Subscriber>(_ subscriber: __owned S)
        where S.Input == Output, S.Failure == Failure {
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
    /// Sends, for each value, the time that has passed since the previous one; for the first value, since the subscription.
    /// - Parameters:
    ///   - scheduler: Measures the time.
    ///   - options: Not used, since nothing is scheduled.
    public func measureInterval<S: Scheduler>(
        using scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.MeasureInterval<Self, S> { .init(upstream: self, scheduler: scheduler) }
}

// Sound if the upstream is Sendable: a scheduler may be used from any thread, and its options are values.
extension Publishers.MeasureInterval: @unchecked Sendable where Upstream: Sendable {}
