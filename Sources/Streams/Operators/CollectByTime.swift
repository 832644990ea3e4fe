extension Publishers {
    /// A strategy that determines when collected values are sent.
    public enum TimeGroupingStrategy<Context: Scheduler>: @unchecked Sendable {
        // Sound: a scheduler may be used from any thread.
        /// At the end of each interval of the scheduler's time.
        case byTime(Context, Context.SchedulerTimeType.Stride)
        /// At the end of each interval of the scheduler's time, and whenever the given number of values has been collected.
        case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
    }

    /// A publisher that collects the values of each interval into an array.
    public typealias CollectByTime<Upstream: Publisher, Context: Scheduler> = Scheduled<Upstream, [Upstream.Output]>
}

extension Publisher {
    /// Collects values and sends them together, on a scheduler, at the end of each interval in which any have arrived and, with
    /// `byTimeOrCount`, whenever there are enough of them: `events.collect(.byTimeOrCount(queue, .seconds(5), 100))`.
    ///
    /// When the upstream finishes, the rest is sent before the completion. When it fails, the rest is dropped. No other value is
    /// lost: while the downstream requests nothing, collected values are kept.
    ///
    /// Without a count, an unlimited number of values is requested from the upstream; with one, as many as fit in the arrays
    /// requested. An interval of zero or less is treated as the shortest one that the scheduler can distinguish from zero; one
    /// too long to be represented never ends (see ``Scheduler``).
    /// - Parameters:
    ///   - strategy: The scheduler, the interval and, if arrays are limited, the greatest number of values in one.
    ///   - options: The options that deliveries are scheduled with.
    @inlinable public func collect<S: Scheduler>(
        _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
    ) -> Publishers.CollectByTime<Self, S> {
        .init(self, named: "CollectByTime", counts: true) {
            let (scheduler, interval, limit) =
                switch strategy {
                case .byTime(let scheduler, let interval): (scheduler, interval, Int.max)
                case .byTimeOrCount(let scheduler, let interval, let count): (scheduler, interval, count)
                }
            precondition(limit > 0, "collect(.byTimeOrCount): the count must be one or more, but is \(limit)")
            let batch = Batch<Output, Failure>()
            return { line, event in
                var isTick = false
                switch event {
                case .subscribed:
                    line.setTimer { AnyCancellable(scheduler.schedule(interval: interval, options: options, $0)) }
                    if limit == .max { line.inlet.request(.unlimited) }
                case .requested(let demand, _): if limit < .max { line.inlet.request(demand * limit) }
                case .value(let value): line.locked { _ in batch.values.append(value) }
                case .completion(let completion):
                    line.setTimer(nil)
                    line.locked { _ in batch.completion = completion }
                case .tick: isTick = true
                case .turn: return
                }
                // Each array that waits in line counts against the downstream's demand.
                while let number = line.locked({ line in
                    batch.take(limit, isTime: isTick, isWanted: line.demand > .max(line.turns.count))
                        .flatMap { line.join($0.values, $0.completion) }
                }) {
                    if isTick {
                        line.deliver(through: number)
                    } else {
                        line.start(number) { scheduler.schedule(once: nil, tolerance: nil, options: options, $0) }
                    }
                }
            }
        }
    }
}

/// The values collected so far, and the completion of the upstream.
@usableFromInline final class Batch<Value, Failure: Error> {
    // Used only with the lock of the operator held.
    @exclusivity(unchecked) @usableFromInline var values: [Value] = []
    @exclusivity(unchecked) @usableFromInline var completion: Subscribers.Completion<Failure>?
    @inlinable init() {}

    /// Removes and returns what is to be sent now; nil if nothing is.
    ///
    /// Values are due when the limit is reached, when the interval is over (`isTime`) or when the upstream has completed, but
    /// only if the downstream has requested an array (`isWanted`). A finish without values is due at once, and so is a failure,
    /// which drops them.
    @inlinable func take(
        _ limit: Int, isTime: Bool, isWanted: Bool
    ) -> (values: [Value]?, completion: Subscribers.Completion<Failure>?)? {
        if values.isEmpty || completion?.error != nil { return completion.take().map { (nil, $0) } }
        guard isWanted, isTime || completion != nil || values.count >= limit else { return nil }
        let taken = Array(values.prefix(limit))
        values.removeFirst(taken.count)
        return (taken, values.isEmpty ? completion.take() : nil)
    }
}
