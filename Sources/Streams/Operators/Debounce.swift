extension Publishers {
    /// A publisher of the values after which the upstream is silent for a while.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: Operator, Attaching {
        /// Where the values come from; how long the upstream must be silent; whose time it is, and where values are delivered.
        public let upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context
        /// The options they are scheduled with.
        public let options: Context.SchedulerOptions?

        /// A publisher of the values after which the upstream is silent for a while.
        @inlinable public init(
            upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions?
        ) { (self.upstream, self.dueTime, self.scheduler, self.options) = (upstream, dueTime, scheduler, options) }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.subscribe(
                ScheduledSubscriber(subscriber, named: "Debounce", counts: true) { [dueTime, scheduler, options] line, event in
                    if case .subscribed = event { line.inlet.request(.unlimited) }
                    line.add(event, dropping: true) { action in
                        if case .completion = event { return scheduler.schedule(once: nil, tolerance: nil, options: nil, action) }
                        return AnyCancellable(scheduler.schedule(interval: dueTime, options: options, action))
                    }
                })
        }
    }
}

extension Publisher {
    /// Sends a value once no other has followed it for a while: the last key pressed before a pause.
    ///
    /// The completion is delivered as soon as possible, and a value that waits then is dropped, as are values that come due
    /// while the downstream asks for none. After a pause of no time, or less, a value is sent as soon as possible; see ``Scheduler``
    /// about such spans, and about those too long to be counted, after which none is.
    @inlinable public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> { .init(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options) }
}

// Sound where the upstream is: a scheduler is made to be used from any thread, and options are values.
extension Publishers.Debounce: @unchecked Sendable where Upstream: Sendable {}
