extension Publishers {
    /// A publisher that sends at most one value in each interval.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Operator {
        @usableFromInline package let upstream: Upstream
        /// The least time between two values.
        @usableFromInline let interval: Context.SchedulerTimeType.Stride
        /// The scheduler that measures the time and delivers values and completion.
        @usableFromInline let scheduler: Context
        /// Selects the last, rather than the first, of the values that follow another too closely.
        @usableFromInline let latest: Bool

        @inlinable package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let sent = OperatorState<Context.SchedulerTimeType?>(nil)
            // Reads the clock exactly when Combine does, even where the result is not used: a custom scheduler can observe it.
            _ = scheduler.now
            upstream.subscribe(
                ScheduledSubscriber(subscriber, named: "Throttle", counts: true) { [interval, scheduler, latest] line, event in
                    switch event {
                    case .subscribed:
                        _ = scheduler.now
                        line.inlet.request(.unlimited)
                    case .value, .completion:
                        let now = scheduler.now
                        var date: Context.SchedulerTimeType?
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
                })
        }
    }
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
    public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Publishers.Throttle<Self, S> { .init(upstream: self, interval: interval, scheduler: scheduler, latest: latest) }
}

// Sound if the upstream is Sendable: a scheduler may be used from any thread, and its options are values.
extension Publishers.Throttle: @unchecked Sendable where Upstream: Sendable {}
