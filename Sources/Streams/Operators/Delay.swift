import Synchronization

extension Publishers {
    /// A publisher that delivers everything a while later.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: Operator {
        /// Where the values come from.
        public let upstream: Upstream

        /// How much later.
        public let interval: Context.SchedulerTimeType.Stride

        /// How much that may vary.
        public let tolerance: Context.SchedulerTimeType.Stride

        /// Whose time it is, and where values are delivered.
        public let scheduler: Context

        /// The options they are scheduled with.
        public let options: Context.SchedulerOptions?

        /// A publisher that delivers everything a while later.
        @inlinable @inline(__always)
        public init(
            upstream: Upstream,
            interval: Context.SchedulerTimeType.Stride,
            tolerance: Context.SchedulerTimeType.Stride,
            scheduler: Context,
            options: Context.SchedulerOptions? = nil
        ) {
            self.upstream = upstream
            self.interval = interval
            self.tolerance = tolerance
            self.scheduler = scheduler
            self.options = options
        }

        /// Attaches a subscriber.
        @inlinable
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Upstream.Output, S.Failure == Failure {
            // Not `self`: the upstream must not be kept with the subscription.
            let (interval, tolerance, scheduler, options) = (interval, tolerance, scheduler, options)
            upstream.subscribe(
                DelaySubscriber(subscriber) { action in
                    scheduler.schedule(
                        after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, action)
                })
        }
    }
}

// Sound where the upstream is: a scheduler is made to be used from any thread, and options are values.
extension Publishers.Delay: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Delivers values and completion a while later, in order. What waits is dropped on cancellation.
    ///
    /// - Parameters:
    ///   - interval: How much later, in the scheduler's stride.
    ///   - tolerance: How much that may vary; the scheduler's finest if nil.
    ///   - scheduler: Whose time it is, and where values are delivered.
    ///   - options: The options they are scheduled with.
    @inlinable @inline(__always)
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride,
        tolerance: S.SchedulerTimeType.Stride? = nil,
        scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, S> {
        Publishers.Delay(
            upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
            scheduler: scheduler, options: options)
    }
}

/// Schedules a turn for each item; a turn delivers the item that has waited longest. Turns may come on several threads of
/// a concurrent queue: the mailbox lines them up.
@usableFromInline
final class DelaySubscriber<Downstream: Subscriber>: InterceptingSubscriber<
    Downstream.Input, Downstream.Failure, Downstream
>,
@unchecked Sendable
{
    // Sound: as the base class says; `items` is behind its lock, `batch` belongs to the owner of the mailbox.
    @usableFromInline
    enum Item {
        case value(Downstream.Input)
        case completion(Subscribers.Completion<Downstream.Failure>)
    }

    @usableFromInline let turns = Mailbox<Void>()
    @exclusivity(unchecked) @usableFromInline var batch: [Void] = []
    @usableFromInline let items = Lock(UncheckedBox(Queue<Item>()))
    @usableFromInline let schedule: (@escaping @Sendable () -> Void) -> Void

    @inlinable
    init(_ downstream: Downstream, schedule: @escaping (@escaping @Sendable () -> Void) -> Void) {
        self.schedule = schedule
        super.init(downstream, named: "Delay")
    }

    @inlinable
    override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard !outlet.isClosed else { return .none }
        add(.value(input))
        return .none
    }

    @inlinable
    override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        if inlet.finish() { add(.completion(completion)) }
    }

    @inlinable
    func add(_ item: Item) {
        items.withLock { $0.value.append(item) }
        let core: SubscriptionCore = self
        schedule { core.takeTurn() }
    }

    @usableFromInline
    override func takeTurn() {
        guard turns.post(()) else { return }
        repeat {
            turns.collect(into: &batch)
            for _ in batch { deliverNext() }
            batch.removeAll(keepingCapacity: true)
        } while !turns.leave()
    }

    @inlinable
    func deliverNext() {
        let next = items.withLock { UncheckedTransfer($0.value.popFirst()) }.value
        switch next {
        case .value(let value): inlet.request(outlet.send(value))
        case .completion(let completion): outlet.finish(completion)
        case nil: break
        }
    }

    @usableFromInline
    override func cancel() {
        super.cancel()
        // Outside the lock: values are user code when they are released.
        let dropped = items.withLock { items in
            defer { items.value = Queue() }
            return UncheckedTransfer(items.value)
        }
        _ = dropped
    }
}

/// Mutable state behind a lock whose type is not Sendable by itself.
@usableFromInline
struct UncheckedBox<Value>: @unchecked Sendable {
    // Sound: only used inside a Lock.
    @usableFromInline var value: Value
    @inlinable init(_ value: Value) { self.value = value }
}
