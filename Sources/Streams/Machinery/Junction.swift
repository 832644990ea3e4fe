import Synchronization

/// What an operator with several upstreams makes of what they send: plain sequential code, called by one thread at a time.
/// Each function may return how everything ends; nil goes on.
@usableFromInline protocol JunctionLogic {
    associatedtype Downstream: Subscriber
    /// What upstreams send, of whichever kind.
    associatedtype Input
    typealias Completion = Subscribers.Completion<Downstream.Failure>
    mutating func receive(_ input: Input, from port: PortCore?, in junction: Junction<Self>) -> Completion?
    mutating func ended(_ port: PortCore?, _ error: Downstream.Failure?, in junction: Junction<Self>) -> Completion?
    /// There is more demand than before.
    mutating func requested(in junction: Junction<Self>) -> Completion?
    /// The input as it is left to the owner by a thread that finds the mailbox busy.
    static func left(_ input: Input) -> Input
}

extension JunctionLogic {
    @inlinable static func left(_ input: Input) -> Input { input }
}

/// Several upstreams into one downstream: what all operators share that have more than one upstream, at once or in turn. An
/// upstream sends into a ``Port``. Whatever comes in, also requests and cancellation, is handled by the owner of the mailbox, one
/// thing at a time, by the ``JunctionLogic``. Upstreams are asked for values, and new ones subscribed to, when the owner has
/// left: so what they send at once finds the mailbox free instead of piling up in it. A junction is born owned: what comes in
/// before ``start()`` waits until the downstream has its subscription.
@usableFromInline final class Junction<Logic: JunctionLogic>: SubscriptionCore, @unchecked Sendable {
    // Sound: the mailbox makes one thread at a time the owner of everything below it; `ports` guards itself.
    @usableFromInline typealias Downstream = Logic.Downstream
    @usableFromInline typealias Demand = Subscribers.Demand
    @usableFromInline enum Mail {
        case value(Logic.Input, from: PortCore?)
        /// A value of somebody who wants it known at the end of the chain: see ``DeliveryOrigin``.
        indirect case valueOf(any AnyObject & Sendable, Logic.Input, from: PortCore?)
        case ended(PortCore?, Downstream.Failure?)
        case requested(Demand), cancelled
    }
    @usableFromInline let mailbox = Mailbox<Mail>()
    @usableFromInline let isClosed = Atomic<Bool>(false)
    /// Whether the downstream has asked for everything, as far as the logic looks at that.
    @usableFromInline let wantsAll = Atomic<Bool>(false)
    @usableFromInline let ports = PortRegistry()
    @usableFromInline let name: StaticString
    /// Whether a request for nothing is passed on, for the source to judge. If not, it traps here.
    @usableFromInline let passesNothing: Bool
    /// Posts a request, or the cancellation if nil. Formed where the types are known, which keeps it specialised.
    @usableFromInline let postSpecialised: (Junction, Demand?) -> Void
    /// What the downstream lends, found out before anything is sent.
    @usableFromInline let downstreamContext: AnyObject?
    // The owner's.
    @exclusivity(unchecked) @usableFromInline var holder: Holder<Downstream>?
    @exclusivity(unchecked) @usableFromInline var logic: Logic?
    @exclusivity(unchecked) @usableFromInline var batch: [Mail] = []
    /// What the downstream has asked for and not got.
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    /// What each upstream is to be asked for that the demand is for.
    @exclusivity(unchecked) @usableFromInline var due = Demand.none
    /// What the upstream of this value is to be asked for besides.
    @exclusivity(unchecked) @usableFromInline var answer = Demand.none
    /// What is to be done when the owner has left; what is posted after that.
    @exclusivity(unchecked) @usableFromInline var later: (() -> Void)?, next: Mail?
    /// Runs when everything ends, for whatever reason.
    @exclusivity(unchecked) @usableFromInline var onEnd: (() -> Void)?
    @inlinable init(_ logic: Logic, _ downstream: Downstream, named name: StaticString, passesNothing: Bool = false) {
        downstreamContext = downstream.subscriberContext
        holder = Holder(downstream)
        self.logic = logic
        (self.name, self.passesNothing) = (name, passesNothing)
        postSpecialised = { $0.post($1.map { .requested($0) } ?? .cancelled) }
        super.init()
        _ = mailbox.enter()
    }
    /// Hands the subscription to the downstream, and begins. Once.
    @inlinable func start() {
        switch holder {
        case .some(let holder) where !isClosed.load(ordering: .acquiring): holder.receive(subscription: self)
        default: break
        }
        _ = leave()
    }
    /// Subscribes to one more upstream; see ``Port``.
    @inlinable @inline(__always) @discardableResult func attach<P: Publisher>(
        _ publisher: P, asking demand: Demand? = nil, isStrict: Bool = false, starts: Bool = false,
        as make: @escaping (P.Output) -> Logic.Input
    ) -> Self {
        let port = Port<P.Output, P.Failure, Logic>(self, asking: demand, isStrict: isStrict, starts: starts, as: make)
        if ports.admit(port) { publisher.subscribe(port) }
        return self
    }
    /// Takes a value in; returns how many more its upstream may send.
    @inlinable func receive(_ input: Logic.Input, from port: PortCore?) -> Demand {
        guard mailbox.enter() else {
            let left = Logic.left(input)
            let origin = DeliveryOrigin.isSet ? DeliveryOrigin.current : nil
            if let origin { post(.valueOf(origin, left, from: port)) } else { post(.value(left, from: port)) }
            return .none
        }
        if let end = logic?.receive(input, from: port, in: self) { finish(end) }
        let answer = self.answer
        self.answer = .none
        return leave(answering: port) + answer
    }
    @inlinable func post(_ mail: Mail) { if take(mail) { _ = leave() } }
    /// Handles mail as the owner, who is to leave then; returns false if another is the owner and has got it.
    @inlinable func take(_ mail: Mail) -> Bool {
        if mailbox.enter() { handle(mail) } else if mailbox.post(mail) { handleMail() } else { return false }
        return true
    }
    @usableFromInline override func request(_ demand: Demand) {
        if demand != .none { return postSpecialised(self, demand) }
        if !passesNothing { demand.requireSome() }
        for port in ports.members where port?.isAsked == true { port?.inlet.pass(.none) }
    }
    @usableFromInline override func cancel() {
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        ports.close()
        postSpecialised(self, nil)
    }
    @usableFromInline override var description: String { name.description }
    @inlinable func handleMail() {
        // What others have left is not sent by whoever this thread is delivering for, but by whoever they were.
        if DeliveryOrigin.isSet { DeliveryOrigin.none { handleAllMail() } } else { handleAllMail() }
    }
    @inlinable func handleAllMail() {
        mailbox.collect(into: &batch)
        batch.reverse()
        while let mail = batch.popLast() { handle(mail) }
    }
    @inlinable func handle(_ mail: Mail) {
        var end: Subscribers.Completion<Downstream.Failure>?
        switch mail {
        case .valueOf(let origin, let input, let port):
            return DeliveryOrigin.with(origin) { handle(.value(input, from: port)) }
        case .value(let input, let port):
            end = logic?.receive(input, from: port, in: self)
            port?.inlet.request(answer)
            answer = .none
        case .ended(let port, let error): end = logic?.ended(port, error, in: self)
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
        guard let earlier = later else { return later = action }
        later = {
            earlier()
            action()
        }
    }
    @inlinable func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        // If somebody has cancelled, his mail lets go.
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        ports.close()
        if let holder = holder.take() { holder.receive(completion: completion) }
        letGo()
    }
    @inlinable func letGo() {
        holder = nil
        (logic, later, next) = (nil, nil, nil)
        onEnd.take()?()
    }
    /// Gives the mailbox up, when the mail is handled, and asks the upstreams; returns what is due from the value's own.
    @inlinable func leave(answering sender: PortCore? = nil) -> Demand {
        due == .none && later == nil && mailbox.leave() ? .none : leaveAsking(sender)
    }
    @inlinable @inline(never) func leaveAsking(_ sender: PortCore?) -> Demand {
        var (sender, answer) = (sender, Demand.none)
        while true {
            let asked = due == .none ? [] : ports.members
            let (due, later, next) = (self.due, self.later, self.next)
            (self.due, self.later, self.next) = (.none, nil, nil)
            if mailbox.leave() {
                for port in asked where port?.isAsked == true && port !== sender { port?.inlet.request(due) }
                if sender?.isAsked == true { answer = due }
                sender = nil
                if !isClosed.load(ordering: .acquiring) { later?() }
                // Not by `post`, which would be here again: each of those that wait inside the one before.
                guard let next, take(next) else { return answer }
            } else {
                (self.due, self.later, self.next) = (due, later, next)
                handleMail()
            }
        }
    }
}

/// One of up to four kinds of values.
@usableFromInline enum OneOf<A, B, C, D> { case a(A), b(B), c(C), d(D) }
