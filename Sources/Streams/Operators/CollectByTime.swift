extension Publishers {
    /// When what has been collected is sent.
    public enum TimeGroupingStrategy<Context: Scheduler>: @unchecked Sendable {
        // Sound: a scheduler is made to be used from any thread.
        /// At the end of each interval.
        case byTime(Context, Context.SchedulerTimeType.Stride)
        /// At the end of each interval, and whenever there is a number of values.
        case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
    }

    /// A publisher of arrays of the values of an interval.
    public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Operator, Attaching {
        /// What is sent.
        public typealias Output = [Upstream.Output]
        /// Where the values come from; when what has been collected is sent; the options it is scheduled with.
        public let upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?

        /// A publisher of arrays of the values of an interval.
        @inlinable public init(upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?) {
            (self.upstream, self.strategy, self.options) = (upstream, strategy, options)
        }

        @inlinable __consuming func attach<S: Subscriber>(_ subscriber: __owned S) where S.Input == Output, S.Failure == Failure {
            let options = options
            let (scheduler, interval, limit) =
                switch strategy {
                case .byTime(let scheduler, let interval): (scheduler, interval, Int.max)
                case .byTimeOrCount(let scheduler, let interval, let count): (scheduler, interval, count)
                }
            precondition(limit > 0, "byTimeOrCount: the count must be one or more, for an array to hold anything")
            let batch = OperatorState(Batch<Upstream.Output, Failure>())
            let collector = ScheduledSubscriber<Upstream.Output, S>(subscriber, named: "CollectByTime", counts: true) {
                line, event in
                var isTick = false
                switch event {
                case .subscribed:
                    line.setTimer { AnyCancellable(scheduler.schedule(interval: interval, options: options, $0)) }
                    if limit == .max { line.inlet.request(.unlimited) }
                case .requested(let demand, _): if limit < .max { line.inlet.request(demand * limit) }
                case .value(let value): line.locked { _ in batch.value.values.append(value) }
                case .completion(let completion):
                    line.setTimer(nil)
                    line.locked { _ in batch.value.completion = completion }
                case .tick: isTick = true
                case .turn: return
                }
                // For each array that waits in line there is a demand.
                while let number = line.locked({ line in
                    batch.value.take(limit, isTime: isTick, isWanted: line.demand > line.turns.count)
                        .flatMap { line.join($0.values, $0.completion) }
                }) {
                    if isTick {
                        line.deliver(through: number)
                    } else {
                        line.start(number) { scheduler.schedule(once: nil, tolerance: nil, options: options, $0) }
                    }
                }
            }
            upstream.subscribe(collector)
        }
    }
}

extension Publisher {
    /// Collects values and sends them together, on a scheduler: at the end of each interval that has any and, if the strategy
    /// says so, whenever there is a number of them: `events.collect(.byTimeOrCount(queue, .seconds(5), 100))`.
    ///
    /// What is left when the upstream finishes comes before the completion; if it fails, it is dropped. Nothing else is lost:
    /// while the downstream asks for nothing, what has been collected is kept. The upstream is asked for everything, or, with a
    /// count, for as many values as the arrays that are asked for can hold. An interval of no time, or less, is the shortest that
    /// the scheduler can tell from none; one too long to be counted never ends (see ``Scheduler``).
    @inlinable public func collect<S: Scheduler>(
        _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
    ) -> Publishers.CollectByTime<Self, S> { .init(upstream: self, strategy: strategy, options: options) }
}

/// What has been collected, and how the upstream has ended. A plain value, free of threads.
@usableFromInline struct Batch<Value, Failure: Error> {
    @usableFromInline var values: [Value] = []
    @usableFromInline var completion: Subscribers.Completion<Failure>?
    @inlinable init() {}

    /// Takes what is to be sent now, if anything; less than the limit if it is time or nothing more will come. A failure waits for none.
    @inlinable mutating func take(
        _ limit: Int, isTime: Bool, isWanted: Bool
    ) -> (values: [Value]?, completion: Subscribers.Completion<Failure>?)? {
        if values.isEmpty || completion?.error != nil { return completion.take().map { (nil, $0) } }
        guard isWanted, isTime || completion != nil || values.count >= limit else { return nil }
        let taken = Array(values.prefix(limit))
        values.removeFirst(taken.count)
        return (taken, values.isEmpty ? completion.take() : nil)
    }
}

// Sound where the upstream is: a scheduler is made to be used from any thread, and options are values.
extension Publishers.CollectByTime: @unchecked Sendable where Upstream: Sendable {}
