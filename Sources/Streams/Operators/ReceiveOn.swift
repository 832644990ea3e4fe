extension Publishers {
    /// A publisher that delivers values and completion on a scheduler.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The scheduler that delivers values and completion.
        public let scheduler: Context
        /// The options that deliveries are scheduled with.
        public let options: Context.SchedulerOptions?

        /// Creates a publisher that delivers values and completion on a scheduler.
        @inlinable public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
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
    /// Delivers values and completion on a scheduler, in order and one at a time, on a concurrent queue, too.
    /// - Parameters:
    ///   - scheduler: Delivers values and completion.
    ///   - options: The options that deliveries are scheduled with.
    @inlinable public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> { .init(upstream: self, scheduler: scheduler, options: options) }
}

// Sound if the upstream is Sendable: a scheduler may be used from any thread, and its options are values.
extension Publishers.ReceiveOn: @unchecked Sendable where Upstream: Sendable {}
