extension Publishers {
    /// A publisher that delivers on a scheduler.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Operator, Attaching {
        /// Where the values come from; where values and completion are delivered; the options they are scheduled with.
        public let upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?

        /// A publisher that delivers on a scheduler.
        @inlinable public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            (self.upstream, self.scheduler, self.options) = (upstream, scheduler, options)
        }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.subscribe(
                ScheduledSubscriber(subscriber, named: "ReceiveOn") { [scheduler, options] line, event in
                    line.add(event) { scheduler.schedule(once: nil, tolerance: nil, options: options, $0) }
                })
        }
    }
}

extension Publisher {
    /// Delivers values and completion on a scheduler, in order and never two at once, also on a concurrent queue.
    @inlinable public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> { .init(upstream: self, scheduler: scheduler, options: options) }
}

// Sound where the upstream is: a scheduler is made to be used from any thread, and options are values.
extension Publishers.ReceiveOn: @unchecked Sendable where Upstream: Sendable {}
