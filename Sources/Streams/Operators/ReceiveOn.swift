extension Publishers {
    /// A publisher that delivers on a scheduler.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Operator {
        /// Where the values come from.
        public let upstream: Upstream

        /// Where values and completion are delivered.
        public let scheduler: Context

        /// The options they are scheduled with.
        public let options: Context.SchedulerOptions?

        /// A publisher that delivers on a scheduler.
        @inlinable @inline(__always)
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        /// Attaches a subscriber.
        @inlinable
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Upstream.Output, S.Failure == Failure {
            let (scheduler, options) = (scheduler, options)
            upstream.subscribe(
                SchedulingSubscriber(subscriber, named: "ReceiveOn") { action in
                    scheduler.schedule(options: options, action)
                })
        }
    }
}

// Sound where the upstream is: a scheduler is made to be used from any thread, and options are values.
extension Publishers.ReceiveOn: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Delivers values and completion on a scheduler, in order and never two at once, also on a concurrent queue.
    ///
    /// - Parameters:
    ///   - scheduler: Where they are delivered.
    ///   - options: The options they are scheduled with.
    @inlinable @inline(__always)
    public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
    }
}

/// Delivers what comes in on whatever a closure schedules.
///
/// Items go through a mailbox whose owner is the scheduled closure: while one is scheduled or runs, further items only
/// join the mail. That keeps the order on any scheduler, and schedules once for a burst.
@usableFromInline
final class SchedulingSubscriber<Downstream: Subscriber>: InterceptingSubscriber<
    Downstream.Input, Downstream.Failure, Downstream
>,
@unchecked Sendable
{
    // Sound: as the base class says; `batch` belongs to the owner of the mailbox.
    @usableFromInline
    enum Item {
        case value(Downstream.Input)
        case completion(Subscribers.Completion<Downstream.Failure>)
    }

    @usableFromInline let mailbox = Mailbox<Item>()
    @exclusivity(unchecked) @usableFromInline var batch: [Item] = []
    /// Delivers. Formed where the types are known, which keeps it specialised when a scheduler calls.
    @usableFromInline let deliverMail: (SchedulingSubscriber) -> Void
    @usableFromInline let schedule: (@escaping @Sendable () -> Void) -> Void

    @inlinable
    init(
        _ downstream: Downstream, named name: StaticString, schedule: @escaping (@escaping @Sendable () -> Void) -> Void
    ) {
        self.schedule = schedule
        deliverMail = { $0.deliver() }
        super.init(downstream, named: name)
    }

    @inlinable
    override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard !outlet.isClosed else { return .none }
        post(.value(input))
        return .none
    }

    @inlinable
    override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        if inlet.finish() { post(.completion(completion)) }
    }

    @inlinable
    func post(_ item: Item) {
        guard mailbox.post(item) else { return }
        let core: SubscriptionCore = self
        schedule { core.takeTurn() }
    }

    @usableFromInline
    override func takeTurn() { deliverMail(self) }

    @usableFromInline
    override func cancel() {
        super.cancel()
        mailbox.discard()
    }

    @inlinable
    func deliver() {
        repeat {
            mailbox.collect(into: &batch)
            batch.reverse()
            while let item = batch.popLast() {
                switch item {
                case .value(let value): inlet.request(outlet.send(value))
                case .completion(let completion): outlet.finish(completion)
                }
            }
        } while !mailbox.leave()
    }
}
