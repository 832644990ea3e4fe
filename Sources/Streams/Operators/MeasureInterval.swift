extension Publishers {
    /// A publisher that sends the time between successive values.
    public typealias MeasureInterval<Upstream: Publisher, Context: Scheduler> =
        Scheduled<Upstream, Context.SchedulerTimeType.Stride>
}

extension Publisher {
    /// Sends, for each value, the time that has passed since the previous one; for the first value, since the subscription.
    /// - Parameters:
    ///   - scheduler: Measures the time.
    ///   - options: Not used, since nothing is scheduled.
    @inlinable public func measureInterval<S: Scheduler>(
        using scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.MeasureInterval<Self, S> {
        .init(self, named: "MeasureInterval") {
            let last = OperatorState(scheduler.now)
            return { line, event in
                switch event {
                case .value:
                    let (before, now) = (last.value, scheduler.now)
                    last.value = now
                    line.inlet.request(line.outlet.send(before.distance(to: now)))
                case .completion(let completion): line.end(completion)
                default: break
                }
            }
        }
    }
}
