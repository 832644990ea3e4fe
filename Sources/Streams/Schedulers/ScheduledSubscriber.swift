extension Publishers {
    /// A publisher that delivers on a scheduler, or depends on a scheduler's time. All operators with time are of this type, except
    /// `subscribe(on:)`.
    public struct Scheduled<Upstream: Publisher, Output>: Operator {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let name: StaticString
        @usableFromInline let counts: Bool
        /// Returns the response to the events of one subscription, which may keep state.
        @usableFromInline let begin: () -> ScheduledSubscriber<Upstream.Output, Output, Upstream.Failure>.Respond

        /// Creates an operator.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - name: The description of the subscription.
        ///   - counts: Whether the demand is counted: see ``ScheduledSubscriber/counts``.
        ///   - begin: Returns the response to the events of one subscription, which may keep state.
        @inlinable init(
            _ upstream: Upstream, named name: StaticString, counts: Bool = false,
            begin: @escaping () -> ScheduledSubscriber<Upstream.Output, Output, Upstream.Failure>.Respond
        ) {
            self.upstream = upstream
            self.name = name
            self.counts = counts
            self.begin = begin
        }

        @inlinable package func attach(_ subscriber: some Subscriber<Output, Failure>) {
            let respond = begin()
            upstream.subscribe(ScheduledSubscriber(AnySubscriber(subscriber), named: name, counts: counts, respond: respond))
        }
    }
}

// Sound if the upstream is Sendable: the closure captures schedulers, which may be used from any thread, their options, which are
// values, and Sendable closures.
extension Publishers.Scheduled: @unchecked Sendable where Upstream: Sendable {}

/// The subscriber of an operator that delivers on a scheduler: the common part of the operators with time.
///
/// Each item to deliver waits in a queue, and has a scheduled turn. A turn delivers its item and all items before it, unless
/// another thread is delivering; then that thread delivers them. So items stay in order on any scheduler, even a concurrent one,
/// and deliveries never overlap.
@usableFromInline
final class ScheduledSubscriber<Input, Output, Failure: Error>:
    InterceptingSubscriber<Input, Failure, AnySubscriber<Output, Failure>>, @unchecked Sendable
{
    // Sound: as the base class says; the lock protects the line with its turns.
    @usableFromInline typealias Completion = Subscribers.Completion<Failure>
    @usableFromInline typealias Schedule = (@escaping @Sendable () -> Void) -> AnyCancellable?
    /// The operator's response to an event.
    @usableFromInline typealias Respond = (ScheduledSubscriber, Event) -> Void

    /// An event that the operator responds to: the downstream has received its subscription; a value or a completion has arrived;
    /// the downstream has requested values; a turn begins; the timer has fired.
    @usableFromInline enum Event {
        case subscribed
        case value(Input)
        case completion(Completion)
        case requested(Subscribers.Demand, isFirst: Bool)
        case turn
        case tick
    }

    @usableFromInline let line: Lock<UncheckedBox<Line>>
    /// True if this class counts the demand, and drops values that become due without demand. The operator then decides what to
    /// request from the upstream. Otherwise requests are passed on to the upstream.
    @usableFromInline let counts: Bool
    /// An item in line and the turn that is scheduled for it. Releasing the token cancels the turn.
    @usableFromInline typealias Turn = (number: Int, value: Output?, completion: Completion?, token: AnyCancellable?)

    /// The items in line and the timer: a plain value that is independent of threads.
    @usableFromInline struct Line {
        /// The operator's response to an event; nil after the end.
        @usableFromInline var respond: Respond?
        @usableFromInline var turns = Queue<Turn>()
        /// The running timer. The numbers of timers are negative, those of turns positive.
        @usableFromInline var timer: (number: Int, token: AnyCancellable?)?
        /// The number of turns and timers made so far.
        @usableFromInline var made = 0
        /// The highest number of a turn that has begun.
        @usableFromInline var due = 0
        @usableFromInline var isDelivering = false
        /// True if the downstream has requested values.
        var isAsked = false
        /// True while the upstream may send: it has sent its subscription, and has not ended. The item that stands last in line may be
        /// the completion, which nothing may replace or follow.
        @usableFromInline var isOpen = false
        /// The outstanding demand of the downstream.
        @usableFromInline var demand = Subscribers.Demand.none
        @inlinable init(_ respond: Respond? = nil) { self.respond = respond }

        /// The last item in line, if its turn has not begun.
        @inlinable var waiting: Turn? {
            get { turns[turns.count - 1].flatMap { $0.number > due ? $0 : nil } }
            set { turns[turns.count - 1] = newValue }
        }

        /// Adds an item to the line.
        ///
        /// - Returns: The number of its turn; nil after the end.
        @inlinable mutating func join(_ value: Output?, _ completion: Completion?) -> Int? {
            if respond == nil { return nil }
            made += 1
            turns.append((made, value, completion, nil))
            return made
        }

        /// Stores the token of a timer or a turn, if it is still needed: the turn has not delivered its item, no later turn will
        /// deliver it, and the operator has not ended.
        @inlinable mutating func keep(_ token: AnyCancellable, _ number: Int) {
            if timer?.number == number { timer?.token = token }
            if turns[turns.count - 1]?.number == number { turns[turns.count - 1]?.token = token }
        }

        /// Takes the next item that is due, or ends the delivery if there is none.
        ///
        /// - Returns: The item, and whether its value is to be delivered.
        @inlinable mutating func takeDue(counting: Bool) -> (turn: Turn, isWanted: Bool)? {
            isDelivering = turns[0].map { $0.number <= due } ?? false
            guard isDelivering, let turn = turns.popFirst() else { return nil }
            if !counting || turn.value == nil { return (turn, true) }
            defer { demand -= 1 }
            return (turn, demand != .none)
        }
    }

    @inlinable init(
        _ downstream: AnySubscriber<Output, Failure>, named name: StaticString, counts: Bool, respond: @escaping Respond
    ) {
        line = Lock(UncheckedBox(Line(respond)))
        self.counts = counts
        super.init(downstream, named: name)
    }

    /// Accesses the line with the lock held. No user code may run inside, not even the deinitializer of a value.
    @inlinable func locked<Result>(_ work: (inout Line) -> Result) -> Result {
        line.withLock { UncheckedTransfer(work(&$0.value)) }.value
    }

    /// Schedules a turn, or starts a timer.
    @inlinable func start(_ number: Int, _ schedule: Schedule) {
        if let token = schedule({ self.take(number) }) { locked { $0.keep(token, number) } }
    }

    /// Stops the timer and, unless `schedule` is nil, starts a new one.
    @inlinable func setTimer(_ schedule: Schedule?) {
        // The token of the old timer is released outside the lock, which cancels it.
        let (stopped, number) = locked { line in
            line.made += 1
            defer { line.timer = schedule == nil || line.respond == nil ? nil : (-line.made, nil) }
            return (line.timer, -line.made)
        }
        discard(stopped)
        if let schedule { start(number, schedule) }
    }

    /// Delivers all items up to a turn, unless another call is delivering: then that call delivers them.
    @inlinable func deliver(through number: Int) {
        let isMine = locked { line in
            line.due = max(line.due, number)
            defer { line.isDelivering = true }
            return !line.isDelivering
        }
        guard isMine else { return }
        while let (turn, isWanted) = locked({ $0.takeDue(counting: counts) }) {
            if isWanted, let value = turn.value {
                let more = outlet.send(value)
                if more != .none { counts ? request(more) : inlet.request(more) }
            }
            if let completion = turn.completion { end(completion) }
        }
    }

    /// Delivers the completion and releases everything.
    @inlinable func end(_ completion: Completion) {
        _ = inlet.finish()
        outlet.finish(completion)
        letGo()
    }

    /// Handles a timer that has fired (a negative number), or a turn.
    @inlinable func take(_ number: Int) {
        WorkContext.bind(for: outlet.context) {
            if number < 0 { return locked { $0.timer?.number == number } ? tell(.tick) : () }
            tell(.turn)
            deliver(through: number)
        }
    }

    @inlinable func tell(_ event: Event) { locked { $0.respond }?(self, event) }

    @inlinable func letGo() {
        let old = locked { line in
            defer { line = Line() }
            return line
        }
        discard(old)
    }

    @inlinable override func receive(subscription: any Subscription) {
        guard inlet.fill(subscription) else { return }
        locked { $0.isOpen = true }
        outlet.send(subscription: self)
        tell(.subscribed)
    }

    @inlinable override func receive(_ input: Input) -> Subscribers.Demand {
        locked { $0.isOpen ? $0.respond : nil }?(self, .value(input))
        return .none
    }

    /// Passes the completion to the operator. As in Combine, requests and cancellation reach the upstream until the completion is
    /// delivered.
    @inlinable override func receive(completion: Completion) {
        let respond = locked { line in
            defer { line.isOpen = false }
            return line.isOpen ? line.respond : nil
        }
        respond?(self, .completion(completion))
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        let isFirst = locked { line in
            defer { (line.isAsked, line.demand) = (true, line.demand + demand) }
            return !line.isAsked
        }
        tell(.requested(demand, isFirst: isFirst))
        if !counts { inlet.pass(demand) }
    }

    override func cancel() {
        // Before the subscription arrives, the downstream has nothing to cancel. As in Combine, such a call is ignored, except by
        // the operators that count the demand.
        if inlet.isAwaiting, !counts { return }
        super.cancel()
        letGo()
    }
}

extension ScheduledSubscriber where Input == Output {
    /// Adds a value or the completion to the line and schedules its turn. Does nothing for other events.
    ///
    /// - Parameters:
    ///   - event: The event to respond to.
    ///   - dropping: Whether the new item replaces a waiting one.
    ///   - latest: If not nil, the event joins a waiting item, if there is one, and has no turn of its own. A value replaces the
    ///     waiting one if `latest` is true, and is dropped otherwise. The completion is delivered after the waiting value.
    ///   - schedule: Schedules the turn.
    @inlinable func add(_ event: Event, dropping: Bool = false, joining latest: Bool? = nil, _ schedule: Schedule) {
        var (value, completion): (Input?, Completion?)
        switch event {
        case .value(let input): value = input
        case .completion(let end): completion = end
        default: return
        }
        let (dropped, number) = locked { line -> (Turn?, Int?) in
            guard let latest, var waiting = line.waiting else {
                return (dropping && line.waiting != nil ? line.turns.popLast() : nil, line.join(value, completion))
            }
            waiting.completion = completion
            // The replaced value is released outside the lock.
            if latest, value != nil { swap(&waiting.value, &value) }
            line.waiting = waiting
            return (nil, nil)
        }
        discard(dropped)
        if let number { start(number, schedule) }
    }
}
