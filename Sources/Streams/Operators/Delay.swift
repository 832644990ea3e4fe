extension Publishers {
    /// A publisher that delivers values and completion on a scheduler, as soon as possible or after a delay.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: Operator {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let name: StaticString
        /// The delay; nil for as soon as possible.
        @usableFromInline let interval: Context.SchedulerTimeType.Stride?
        /// The tolerance by which the delay may be longer.
        @usableFromInline let tolerance: Context.SchedulerTimeType.Stride?
        @usableFromInline let scheduler: Context
        @usableFromInline let options: Context.SchedulerOptions?

        @inlinable package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.subscribe(
                ScheduledSubscriber(subscriber, named: name) { [interval, tolerance, scheduler, options] line, event in
                    line.add(event) { action in
                        let date = interval.map { scheduler.now.advanced(by: $0) }
                        return scheduler.schedule(once: date, tolerance: tolerance, options: options, action)
                    }
                })
        }
    }

    /// A publisher that delivers values and completion on a scheduler.
    public typealias ReceiveOn<Upstream: Publisher, Context: Scheduler> = Delay<Upstream, Context>
}

extension Publisher {
    /// Delivers values and completion after a delay, in order. A cancellation drops what is still waiting.
    ///
    /// After a delay of zero or less, deliveries happen as soon as possible; after one too long to be represented, never (see
    /// ``Scheduler``).
    /// - Parameters:
    ///   - interval: The delay.
    ///   - tolerance: The longest time by which the delay may be longer; nil for the scheduler's minimum tolerance.
    ///   - scheduler: Measures the time and delivers values and completion.
    ///   - options: The options that deliveries are scheduled with.
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, S> {
        let tolerance = tolerance ?? scheduler.minimumTolerance
        return .init(
            upstream: self, name: "Delay", interval: interval, tolerance: tolerance, scheduler: scheduler, options: options)
    }

    /// Delivers values and completion on a scheduler, in order and one at a time, on a concurrent queue, too.
    /// - Parameters:
    ///   - scheduler: Delivers values and completion.
    ///   - options: The options that deliveries are scheduled with.
    public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> {
        .init(upstream: self, name: "ReceiveOn", interval: nil, tolerance: nil, scheduler: scheduler, options: options)
    }
}

// Sound if the upstream is Sendable: a scheduler may be used from any thread, and its options are values.
extension Publishers.Delay: @unchecked Sendable where Upstream: Sendable {}
