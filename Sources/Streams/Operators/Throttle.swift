extension Publishers {
    /// A publisher that sends at most one value an interval.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Operator, Attaching {
        /// Where the values come from; how long it is at least from one value to the next.
        public let upstream: Upstream, interval: Context.SchedulerTimeType.Stride
        /// Whose time it is, and where values are delivered.
        public let scheduler: Context
        /// Whether, of the values that follow too closely, the last is sent and not the first.
        public let latest: Bool

        /// A publisher that sends at most one value an interval.
        @inlinable public init(upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool) {
            (self.upstream, self.interval, self.scheduler, self.latest) = (upstream, interval, scheduler, latest)
        }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let sent = OperatorState<Context.SchedulerTimeType?>(nil)
            // The clock is read whenever Combine reads it, needed or not: a scheduler can tell.
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
    /// Sends at most one value an interval, the first or the latest of those that follow another too closely.
    ///
    /// A value that follows a pause is sent as soon as possible, another when the interval is over. A completion comes with the
    /// value that waits, if one does. Values that arrive while the downstream asks for none are dropped. With an interval of no
    /// time, or less, each is sent as soon as possible; with one too long to be counted, the first only (see ``Scheduler``).
    @inlinable public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Publishers.Throttle<Self, S> { .init(upstream: self, interval: interval, scheduler: scheduler, latest: latest) }
}

// Sound where the upstream is: a scheduler is made to be used from any thread, and options are values.
extension Publishers.Throttle: @unchecked Sendable where Upstream: Sendable {}
