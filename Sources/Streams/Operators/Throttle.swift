extension Publishers {
    /// A publisher that sends at most one value in each interval.
    public typealias Throttle<Upstream: Publisher, Context: Scheduler> = Scheduled<Upstream, Upstream.Output>
}

extension Publisher {
    /// Sends at most one value in each interval: of the values that follow another too closely, the first or the latest.
    ///
    /// A value after a pause is sent as soon as possible, any other when the interval is over. A completion is delivered together
    /// with the value that waits, if there is one. Values that arrive while the downstream requests none are dropped. With an
    /// interval of zero or less, each value is sent as soon as possible; with one too long to be represented, only the first (see
    /// ``Scheduler``).
    /// - Parameters:
    ///   - interval: The least time between two values.
    ///   - scheduler: Measures the time and delivers values and completion.
    ///   - latest: Whether to send the latest, rather than the first, of the values that follow another too closely.
    @inlinable public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Publishers.Throttle<Self, S> {
        .init(self, named: "Throttle", counts: true) {
            let sent = OperatorState<S.SchedulerTimeType?>(nil)
            // Reads the clock exactly when Combine does, even where the result is not used: a custom scheduler can observe it.
            _ = scheduler.now
            return { line, event in
                switch event {
                case .subscribed:
                    _ = scheduler.now
                    line.inlet.request(.unlimited)
                case .value, .completion:
                    let now = scheduler.now
                    var date: S.SchedulerTimeType?
                    if case .value = event {
                        if line.locked({ $0.demand == .none }) { return }
                        date = line.locked { _ in sent.value }?.advanced(by: interval)
                    }
                    line.add(event, joining: latest) { action in
                        let isEarly = date.map { $0 > now } ?? false
                        return scheduler.schedule(once: isEarly ? date : nil, tolerance: nil, options: nil, action)
                    }
                case .turn where line.locked { $0.waiting?.completion == nil }:
                    let now = scheduler.now
                    line.locked { _ in sent.value = now }
                case .turn, .requested, .tick: break
                }
            }
        }
    }
}
