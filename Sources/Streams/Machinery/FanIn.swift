import Synchronization

/// What an operator with several upstreams makes of what they send: plain sequential code, called by one thread at a time.
/// Each function may return how everything ends; nil goes on.
@usableFromInline protocol FanInLogic {
    associatedtype Downstream: Subscriber
    /// What upstreams send, of whichever kind.
    associatedtype Input
    typealias Completion = Subscribers.Completion<Downstream.Failure>
    mutating func receive(_ input: Input, from source: FanInSourceCore?, in fanIn: FanIn<Self>) -> Completion?
    mutating func ended(_ source: FanInSourceCore?, _ error: Downstream.Failure?, in fanIn: FanIn<Self>) -> Completion?

    /// There is more demand than before.
    mutating func requested(in fanIn: FanIn<Self>) -> Completion?

    /// The input as it is left to the owner by a thread that finds the mailbox busy.
    static func left(_ input: Input) -> Input
}

extension FanInLogic {
    @inlinable static func left(_ input: Input) -> Input { input }
}

/// Several upstreams into one downstream: what all operators share that have more than one upstream, at once or in turn. An
/// upstream sends into a ``FanInSource``. Whatever comes in, also requests and cancellation, is handled by the owner of the mailbox, one
/// thing at a time, by the ``FanInLogic``. Upstreams are asked for values, and new ones subscribed to, when the owner has
/// left: so what they send at once finds the mailbox free instead of piling up in it. A fan-in is born owned: what comes in
/// before ``start()`` waits until the downstream has its subscription.
@usableFromInline final class FanIn<Logic: FanInLogic>: SubscriptionCore, @unchecked Sendable {
    // Sound: the mailbox makes one thread at a time the owner of everything below it; `ports` guards itself.
    @usableFromInline typealias Downstream = Logic.Downstream
    @usableFromInline typealias Demand = Subscribers.Demand

    @usableFromInline enum Mail {
        case value(Logic.Input, from: FanInSourceCore?)
        /// A value of somebody who wants it known at the end of the chain: see ``DeliveryOrigin``.
        indirect case valueOf(any AnyObject & Sendable, Logic.Input, from: FanInSourceCore?)
        case ended(FanInSourceCore?, Downstream.Failure?)
        case requested(Demand), cancelled
    }

    @usableFromInline let mailbox = Mailbox<Mail>()
    @usableFromInline let isClosed = Atomic<Bool>(false)
    /// Whether the downstream has asked for everything, as far as the logic looks at that.
    @usableFromInline let wantsAll = Atomic<Bool>(false)
    @usableFromInline let sources = FanInSources()
    @usableFromInline let name: StaticString
    /// Whether a request for nothing is passed on, for the source to judge. If not, it traps here.
    @usableFromInline let passesNothing: Bool
    /// Posts a request, or the cancellation if nil. Formed where the types are known, which keeps it specialised.
    @usableFromInline let postSpecialised: (FanIn, Demand?) -> Void
    /// Goes on as the heir; formed there, too.
    @usableFromInline let inheritSpecialised: (FanIn) -> Void
    /// What the downstream lends, found out before anything is sent.
    @usableFromInline let downstreamContext: AnyObject?
    /// The next trampoline below, if there is any in the process.
    @usableFromInline let trampoline: ObjectIdentifier?
    // The owner's.
    @exclusivity(unchecked) @usableFromInline var holder: BorrowedSubscriber<Downstream>?
    @exclusivity(unchecked) @usableFromInline var logic: Logic?
    @exclusivity(unchecked) @usableFromInline var batch: [Mail] = []
    /// What the downstream has asked for and not got.
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    /// What each upstream is to be asked for that the demand is for.
    @exclusivity(unchecked) @usableFromInline var due = Demand.none
    /// What the upstream of this value is to be asked for besides.
    @exclusivity(unchecked) @usableFromInline var answer = Demand.none
    /// What is to be done when the owner has left: mostly nothing or one thing, which needs no list; what is posted after that.
    @exclusivity(unchecked) @usableFromInline var later: (() -> Void)?, rest: [() -> Void] = [], next: Mail?
    /// Runs when everything ends, for whatever reason.
    @exclusivity(unchecked) @usableFromInline var onEnd: (() -> Void)?

    @inlinable init(_ logic: Logic, _ downstream: Downstream, named name: StaticString, passesNothing: Bool = false) {
        downstreamContext = downstream._subscriberContext
        trampoline = ChainSegment.trampolines.load(ordering: .relaxed) == 0 ? nil : downstream._trampoline
        holder = BorrowedSubscriber(downstream)
        self.logic = logic
        (self.name, self.passesNothing) = (name, passesNothing)
        postSpecialised = { $0.post($1.map { .requested($0) } ?? .cancelled) }
        inheritSpecialised = { $0.inherit() }
        super.init()
        _ = mailbox.enter()
    }

    /// Hands the subscription to the downstream, and begins. Once.
    @inlinable func start() {
        switch holder {
        case .some(let holder) where !isClosed.load(ordering: .acquiring): holder.receive(subscription: self)
        default: break
        }
        leave()
    }

    /// Subscribes to one more upstream; see ``FanInSource``.
    @inlinable @inline(__always) @discardableResult func attach<P: Publisher>(
        _ publisher: P, asking demand: Demand? = nil, isStrict: Bool = false, starts: Bool = false,
        as make: @escaping (P.Output) -> Logic.Input
    ) -> Self {
        let source = FanInSource<P.Output, P.Failure, Logic>(self, asking: demand, isStrict: isStrict, starts: starts, as: make)
        if sources.admit(source) { subscribe(source, to: publisher) }
        return self
    }

    /// Subscribes to one of several upstreams: in a very long chain, when what lies behind those before it has been subscribed to.
    @inlinable @inline(__always) func subscribe<P: Publisher>(_ source: FanInSource<P.Output, P.Failure, Logic>, to publisher: P)
    {
        if let trampoline, ChainSegment.isRunning(at: trampoline) {
            return ChainSegment.attach(source, to: publisher, at: trampoline)
        }
        publisher.subscribe(source)
    }

    /// Takes a value in; returns how many more its upstream may send.
    @inlinable func receive(_ input: Logic.Input, from source: FanInSourceCore?) -> Demand {
        guard mailbox.enter() else {
            let left = Logic.left(input)
            let origin = DeliveryOrigin.isSet ? DeliveryOrigin.current : nil
            if let origin { post(.valueOf(origin, left, from: source)) } else { post(.value(left, from: source)) }
            mailbox.holdUp()
            return .none
        }
        if let end = logic?.receive(input, from: source, in: self) { finish(end) }
        let answer = self.answer
        self.answer = .none
        return leave(answering: source) + answer
    }

    @inlinable func post(_ mail: Mail) { if take(mail) { leave() } }

    /// Handles mail as the owner, who is to leave then; returns false if another is the owner and has got it.
    @inlinable func take(_ mail: Mail) -> Bool {
        if mailbox.enter() {
            handle(mail)
            return true
        }
        guard mailbox.post(mail) else { return false }
        var turn = Mailbox<Mail>.Turn.own
        if handleMail(&turn) { return true }
        _ = leaveToHeir()
        return false
    }

    @usableFromInline override func request(_ demand: Demand) {
        if demand != .none { return postSpecialised(self, demand) }
        if !passesNothing { demand.requireSome() }
        for source in sources.members where source?.isAsked == true { source?.inlet.pass(.none) }
    }

    @usableFromInline override func cancel() {
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        sources.close()
        postSpecialised(self, nil)
    }

    @usableFromInline override var description: String { name.description }

    /// Handles mail that is this turn's to handle; returns whether that was all.
    @inlinable func handleMail(_ turn: inout Mailbox<Mail>.Turn) -> Bool {
        // What has been left is not sent by whoever this thread is delivering for, but by whoever left it.
        guard DeliveryOrigin.isSet else { return mailbox.handleMail(&turn, &batch) { handle($0) } }
        var isAll = true
        DeliveryOrigin.none { isAll = mailbox.handleMail(&turn, &batch) { handle($0) } }
        return isAll
    }

    @inlinable func handle(_ mail: Mail) {
        var end: Subscribers.Completion<Downstream.Failure>?
        switch mail {
        case .valueOf(let origin, let input, let source):
            return DeliveryOrigin.with(origin) { handle(.value(input, from: source)) }
        case .value(let input, let source):
            end = logic?.receive(input, from: source, in: self)
            source?.inlet.request(answer)
            answer = .none
        case .ended(let source, let error): end = logic?.ended(source, error, in: self)
        case .requested(let more):
            add(more)
            end = logic?.requested(in: self)
        case .cancelled: letGo()
        }
        if let end { finish(end) }
    }

    /// Delivers a value, unless the downstream wants nothing any more.
    @inlinable func deliver(_ value: Downstream.Input) {
        switch holder {
        case .some(let holder) where !isClosed.load(ordering: .acquiring):
            if demand != .unlimited { demand -= 1 }
            let more = holder.receive(value)
            if more != .none { add(more) }
        default: break
        }
    }

    @inlinable func add(_ more: Demand) {
        demand += more
        due += more
    }

    /// Does something when the owner has left, after what is to be done then already.
    @inlinable func afterwards(_ action: @escaping () -> Void) {
        if later == nil { later = action } else { rest.append(action) }
    }

    @inlinable func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        // If somebody has cancelled, his mail lets go.
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        sources.close()
        if let holder = holder.take() { holder.receive(completion: completion) }
        letGo()
    }

    @inlinable func letGo() {
        holder = nil
        (logic, later, next) = (nil, nil, nil)
        rest = []
        onEnd.take()?()
    }

    /// Gives the mailbox up, when the mail is handled, and asks the upstreams; returns what is due from the value's own.
    @inlinable @discardableResult func leave(answering sender: FanInSourceCore? = nil) -> Demand {
        due == .none && later == nil && mailbox.leave() ? .none : leaveAsking(sender, .own)
    }

    /// What an owner has decided, and does when it has left: whom to ask for how much, what is to be done, and what to post then.
    @usableFromInline typealias Decided = (
        asked: [FanInSourceCore?], due: Demand, later: (() -> Void)?, rest: [() -> Void], next: Mail?
    )

    @inlinable func takeDecided() -> Decided {
        defer { (due, later, rest, next) = (.none, nil, [], nil) }
        return (due == .none ? [] : sources.members, due, later, rest, next)
    }

    @inlinable @inline(never) func leaveAsking(_ sender: FanInSourceCore?, _ turn: Mailbox<Mail>.Turn) -> Demand {
        var (sender, answer, turn) = (sender, Demand.none, turn)
        while true {
            let decided = takeDecided()
            if mailbox.leave(turn) {
                answer += ask(decided, answering: sender)
                sender = nil
                // Not by `post`, which would be here again: each of those that wait inside the one before.
                guard let next = decided.next, take(next) else { return answer }
                turn = .own
                continue
            }
            (_, due, later, rest, next) = decided
            guard handleMail(&turn) else { return answer + leaveToHeir(answering: sender) }
        }
    }

    /// Asks the upstreams, but for one that is told by what is returned, and does what is to be done.
    @inlinable func ask(_ decided: Decided, answering sender: FanInSourceCore?) -> Demand {
        for source in decided.asked where source?.isAsked == true && source !== sender { source?.inlet.request(decided.due) }
        if !isClosed.load(ordering: .acquiring) { decided.later?() }
        for action in decided.rest where !isClosed.load(ordering: .acquiring) { action() }
        return sender?.isAsked == true ? decided.due : .none
    }

    /// Hands over the rest of the mail. What this owner has decided is its own, and done here.
    @inlinable func leaveToHeir(answering sender: FanInSourceCore? = nil) -> Demand {
        let decided = takeDecided()
        mailbox.bequeath { [self] in inheritSpecialised(self) }
        let answer = ask(decided, answering: sender)
        if let next = decided.next { post(next) }
        return answer
    }

    /// The heir goes on where an owner has stopped.
    @inlinable func inherit() {
        var turn = mailbox.inherit()
        _ = handleMail(&turn) ? leaveAsking(nil, turn) : leaveToHeir()
    }
}

/// One of up to four kinds of values.
@usableFromInline enum OneOf<A, B, C, D> { case a(A), b(B), c(C), d(D) }
