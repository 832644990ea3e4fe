extension Publishers {
    /// A publisher that sends a value when no other has followed it for a while.
    public typealias Debounce<Upstream: Publisher, Context: Scheduler> = Scheduled<Upstream, Upstream.Output>
}

extension Publisher {
    /// Sends a value once no other has followed it for a while, for example the text that was typed before a pause.
    ///
    /// The completion is delivered as soon as possible, and drops a value that is still waiting. Values that become due while the
    /// downstream requests none are dropped, too. If `dueTime` is zero or less, values are sent as soon as possible; if it is too
    /// long to be represented, no value is sent (see ``Scheduler``).
    /// - Parameters:
    ///   - dueTime: The time that must pass without another value.
    ///   - scheduler: Measures the time and delivers values and completion.
    ///   - options: The options that values are scheduled with.
    @inlinable public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> {
        .init(self, named: "Debounce", counts: true) {
            { line, event in
                if case .subscribed = event { line.inlet.request(.unlimited) }
                line.add(event, dropping: true) { action in
                    if case .completion = event { return scheduler.schedule(once: nil, tolerance: nil, options: nil, action) }
                    return AnyCancellable(scheduler.schedule(interval: dueTime, options: options, action))
                }
            }
        }
    }
}
