import Synchronization

/// An operator that delivers on a scheduler: what all operators have in common that deal in time. What is to be delivered waits
/// in one line and has a turn scheduled. A turn delivers all that joined before it, too, unless another thread delivers: then
/// that one goes on. So the order is kept on any scheduler, a concurrent one too, and nothing overlaps.
@usableFromInline
final class ScheduledSubscriber<Input, Downstream: Subscriber>:
    InterceptingSubscriber<Input, Downstream.Failure, Downstream>, @unchecked Sendable
{
    // Sound: as the base class says; the line, with its turns, is behind its lock.
    @usableFromInline typealias Completion = Subscribers.Completion<Downstream.Failure>
    @usableFromInline typealias Schedule = (@escaping @Sendable () -> Void) -> AnyCancellable?

    /// What may happen: the downstream has its subscription or asks for values; a turn begins; the timer ticks.
    @usableFromInline enum Event {
        case subscribed, value(Input), completion(Completion), requested(Subscribers.Demand, isFirst: Bool), turn, tick
    }

    @usableFromInline let line: Lock<UncheckedBox<Line>>
    /// Whether the operator counts the demand, and asks the upstream as it likes. What comes due without demand is dropped.
    @usableFromInline let counts: Bool
    /// Takes a turn. Formed where the types are known, which keeps it specialised when a scheduler calls.
    @usableFromInline let takeTurnSpecialised: (ScheduledSubscriber, Int) -> Void
    /// What a scheduler has been asked to do. The numbers of timers are negative; a token that is released takes the turn back.
    @usableFromInline typealias Turn = (number: Int, value: Downstream.Input?, completion: Completion?, token: AnyCancellable?)

    /// Who waits for which turn. A plain value, free of threads.
    @usableFromInline struct Line {
        /// What the operator does about an event; nil after the end.
        @usableFromInline var respond: ((ScheduledSubscriber, Event) -> Void)?
        @usableFromInline var turns = Queue<Turn>()
        @usableFromInline var timer: (number: Int, token: AnyCancellable?)?
        @usableFromInline var made = 0
        /// The number of the last turn that has come.
        @usableFromInline var due = 0
        @usableFromInline var isDelivering = false
        @usableFromInline var isAsked = false
        /// Whether the upstream is there and has not completed.
        @usableFromInline var isOpen = false
        @usableFromInline var demand = Subscribers.Demand.none
        @inlinable init(_ respond: ((ScheduledSubscriber, Event) -> Void)? = nil) { self.respond = respond }

        /// The last in line, if its turn has not come.
        @inlinable var waiting: Turn? {
            get { turns[turns.count - 1].flatMap { $0.number > due ? $0 : nil } }
            set { turns[turns.count - 1] = newValue }
        }

        /// - Returns: The number of the turn.
        @inlinable mutating func join(_ value: Downstream.Input?, _ completion: Completion?) -> Int? {
            if respond == nil { return nil }
            made += 1
            turns.append((made, value, completion, nil))
            return made
        }

        /// Keeps what takes a turn back, unless the turn has come, or the end has, or another delivers this one's share.
        @inlinable mutating func keep(_ token: AnyCancellable, _ number: Int) {
            if timer?.number == number { timer?.token = token }
            if turns[turns.count - 1]?.number == number { turns[turns.count - 1]?.token = token }
        }

        /// - Returns: What to deliver next; with its value, if that is wanted.
        @inlinable mutating func takeDue(counting: Bool) -> (turn: Turn, isWanted: Bool)? {
            isDelivering = turns[0].map { $0.number <= due } ?? false
            guard isDelivering, let turn = turns.popFirst() else { return nil }
            if !counting || turn.value == nil { return (turn, true) }
            defer { demand -= 1 }
            return (turn, demand != .none)
        }
    }

    @inlinable init(
        _ downstream: Downstream, named name: StaticString, counts: Bool = false,
        respond: @escaping (ScheduledSubscriber, Event) -> Void
    ) {
        line = Lock(UncheckedBox(Line(respond)))
        self.counts = counts
        takeTurnSpecialised = { $0.take($1) }
        super.init(downstream, named: name)
    }

    /// Works on the line. No user code may run inside, not even that of a value's end.
    @inlinable func locked<Result>(_ work: (inout Line) -> Result) -> Result {
        line.withLock { UncheckedTransfer(work(&$0.value)) }.value
    }

    /// Schedules a turn.
    @inlinable func start(_ number: Int, _ schedule: Schedule) {
        let core: SubscriptionCore = self
        if let token = schedule({ core.takeTurn(number) }) { locked { $0.keep(token, number) } }
    }

    /// Stops the timer, and starts it anew if there is anything to schedule it with.
    @inlinable func setTimer(_ schedule: Schedule?) {
        // The one that is stopped is let go, and so taken back, outside the lock.
        let (stopped, number) = locked { line in
            line.made += 1
            defer { line.timer = schedule == nil || line.respond == nil ? nil : (-line.made, nil) }
            return (line.timer, -line.made)
        }
        _ = stopped
        if let schedule { start(number, schedule) }
    }

    /// Delivers all that is in line up to a turn, unless somebody delivers: then that one will.
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

    @inlinable func end(_ completion: Completion) {
        _ = inlet.finish()
        outlet.finish(completion)
        letGo()
    }

    @usableFromInline override func takeTurn(_ number: Int) { takeTurnSpecialised(self, number) }

    @inlinable func take(_ number: Int) {
        if number < 0 { return locked { $0.timer?.number == number } ? tell(.tick) : () }
        tell(.turn)
        deliver(through: number)
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

    /// The upstream may be asked and cancelled until the completion is delivered, as in Combine.
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

    @usableFromInline override func cancel() {
        // Before the subscription nobody can have this one to cancel; Combine's operators do not listen then, but for these.
        if inlet.isAwaiting, !counts { return }
        super.cancel()
        letGo()
    }
}

extension ScheduledSubscriber where Input == Downstream.Input {
    /// Lines up what has come, if it is a value or the completion, and schedules its turn. What waits leaves the line if
    /// `dropping`, or is joined: by a value in its place if `latest`, else by none; by the completion after it.
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
            // What is replaced ends outside the lock.
            if latest, value != nil { swap(&waiting.value, &value) }
            line.waiting = waiting
            return (nil, nil)
        }
        discard(dropped)
        if let number { start(number, schedule) }
    }
}
