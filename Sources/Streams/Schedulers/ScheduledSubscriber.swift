import Synchronization

/// An operator that delivers on a scheduler: what all operators have in common that deal in time.
///
/// What is to be delivered waits in one line and has a turn scheduled. A turn makes all that joined before it due as well, and
/// delivers what is due, unless another thread is at it, which then goes on:
///
///     turn 1, thread A                      turn 2, thread B of a concurrent scheduler
///     ----------------                      ------------------------------------------
///     take 1 out of the line, deliver it
///                                           2 is due; somebody delivers: leave it to A
///     take 2 out of the line, deliver it
///
/// So the order is kept on any scheduler and nothing overlaps. What an operator does about an event is a closure.
@usableFromInline
final class ScheduledSubscriber<Input, Downstream: Subscriber>:
    InterceptingSubscriber<Input, Downstream.Failure, Downstream>, @unchecked Sendable
{
    // Sound: as the base class says; the line, with its turns, is behind its lock.
    @usableFromInline typealias Completion = Subscribers.Completion<Downstream.Failure>
    @usableFromInline typealias Schedule = (@escaping @Sendable () -> Void) -> any Cancellable

    /// What may happen: the downstream has its subscription or asks for values; a turn begins; the timer ticks.
    @usableFromInline
    enum Event {
        case subscribed, value(Input), completion(Completion), requested(Subscribers.Demand, isFirst: Bool), turn, tick
    }

    @usableFromInline let line: Lock<UncheckedBox<Line>>
    /// Whether the operator counts the demand, and asks the upstream as it likes. What comes due without demand is dropped.
    @usableFromInline let counts: Bool
    /// Whether the upstream has completed.
    @usableFromInline let isEnding = Atomic(false)
    /// Takes a turn. Formed where the types are known, which keeps it specialised when a scheduler calls.
    @usableFromInline let takeTurnSpecialised: (ScheduledSubscriber, Int) -> Void

    /// What a scheduler has been asked to do. The numbers of timers are negative.
    @usableFromInline
    struct Turn {
        @usableFromInline let number: Int
        @usableFromInline var value: Downstream.Input?
        @usableFromInline var completion: Completion?
        @usableFromInline var token: (any Cancellable)?

        @inlinable init(_ number: Int, _ value: Downstream.Input? = nil, _ completion: Completion? = nil) {
            (self.number, self.value, self.completion) = (number, value, completion)
        }
    }

    /// Who waits for which turn. A plain value, free of threads.
    @usableFromInline
    struct Line {
        /// What the operator does about an event; nil after the end.
        @usableFromInline var respond: ((ScheduledSubscriber, Event) -> Void)?
        @usableFromInline var turns = Queue<Turn>()
        @usableFromInline var timer: Turn?
        @usableFromInline var made = 0
        /// The number of the last turn that has come.
        @usableFromInline var due = 0
        @usableFromInline var isDelivering = false
        @usableFromInline var isAsked = false
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
            turns.append(Turn(made, value, completion))
            return made
        }

        /// Keeps what takes a turn back, unless it has come, or the end has, while it was scheduled.
        @inlinable mutating func keep(_ token: any Cancellable, _ number: Int) -> Bool {
            if timer?.number == number { timer?.token = token }
            var place = turns.count - 1
            while let turn = turns[place], turn.number > number { place -= 1 }
            if turns[place]?.number == number { turns[place]?.token = token }
            return timer?.number == number || turns[place]?.number == number
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
        let token = schedule { core.takeTurn(number) }
        if !locked({ $0.keep(token, number) }) { token.cancel() }
    }

    /// Stops the timer, and starts it anew if there is anything to schedule it with.
    @inlinable func setTimer(_ schedule: Schedule?) {
        let (old, new) = locked { line in
            let old = line.timer
            line.made += 1
            line.timer = schedule == nil || line.respond == nil ? nil : Turn(-line.made)
            return (old, line.timer)
        }
        old?.token?.cancel()
        if let new, let schedule { start(new.number, schedule) }
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
            turn.token?.cancel()
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

    /// Delivers what joins the line now.
    @inlinable func deliver(_ value: Downstream.Input?, _ completion: Completion? = nil) {
        if let number = locked({ $0.join(value, completion) }) { deliver(through: number) }
    }

    @usableFromInline override func takeTurn(_ number: Int) { takeTurnSpecialised(self, number) }

    @inlinable func take(_ number: Int) {
        if number < 0 { return locked { $0.timer?.number == number } ? tell(.tick) : () }
        tell(.turn)
        deliver(through: number)
    }

    @inlinable func tell(_ event: Event) { locked { $0.respond }?(self, event) }

    @inlinable func letGo() {
        var old = locked { line in
            defer { line = Line() }
            return line
        }
        old.timer?.token?.cancel()
        while let turn = old.turns.popFirst() { turn.token?.cancel() }
    }

    @inlinable override func receive(subscription: any Subscription) {
        guard inlet.fill(subscription) else { return }
        outlet.send(subscription: self)
        tell(.subscribed)
    }

    @inlinable override func receive(_ input: Input) -> Subscribers.Demand {
        if !inlet.isEnded, !isEnding.load(ordering: .relaxed) { tell(.value(input)) }
        return .none
    }

    @inlinable override func receive(completion: Completion) {
        // The upstream is asked and cancelled until the completion is delivered, as in Combine.
        if !inlet.isEnded, !isEnding.exchange(true, ordering: .relaxed) { tell(.completion(completion)) }
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        let isFirst = locked { line in
            if counts { line.demand += demand }
            defer { line.isAsked = true }
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
    /// Lines up what has come, if it is a value or the completion, and schedules its turn.
    ///
    /// - Parameters:
    ///   - dropping: Whether what waits leaves the line.
    ///   - joining: Whether it joins what waits, if anything does: a value in its place, or not at all; the completion after it.
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
        dropped?.token?.cancel()
        if let number { start(number, schedule) }
    }
}

// Sound where the upstream is: a scheduler is made to be used from any thread, and options are values.
extension Publishers.Delay: @unchecked Sendable where Upstream: Sendable {}
extension Publishers.ReceiveOn: @unchecked Sendable where Upstream: Sendable {}
extension Publishers.SubscribeOn: @unchecked Sendable where Upstream: Sendable {}
extension Publishers.Debounce: @unchecked Sendable where Upstream: Sendable {}
extension Publishers.Throttle: @unchecked Sendable where Upstream: Sendable {}
extension Publishers.Timeout: @unchecked Sendable where Upstream: Sendable {}
extension Publishers.MeasureInterval: @unchecked Sendable where Upstream: Sendable {}
extension Publishers.CollectByTime: @unchecked Sendable where Upstream: Sendable {}
extension Publishers.TimeGroupingStrategy: @unchecked Sendable {}
