import Synchronization

/// The logic of an operator with several upstreams: plain sequential code, called by one thread at a time. Each function may
/// return a completion, which ends the operator, or nil to continue.
@usableFromInline protocol FanInLogic {
    associatedtype Downstream: Subscriber
    /// The values of all upstreams, as one type.
    associatedtype Input
    typealias Completion = Subscribers.Completion<Downstream.Failure>
    /// Called for each value, with the upstream that has sent it; nil for a value of another source.
    mutating func receive(_ input: Input, from source: Inlet?, in fanIn: FanIn<Self>) -> Completion?
    /// Called when an upstream has ended, with its error if it has failed.
    mutating func ended(_ source: Inlet?, _ error: (any Error)?, in fanIn: FanIn<Self>) -> Completion?

    /// Called when the downstream's demand has grown. By default does nothing.
    mutating func requested(in fanIn: FanIn<Self>) -> Completion?

    /// Called when an upstream has been subscribed to by ``FanIn/subscribe(_:)``. By default does nothing.
    mutating func subscribed(in fanIn: FanIn<Self>) -> Completion?

    /// Returns the form of an input that a thread posts for the owner because the mailbox is busy. By default the input itself.
    static func left(_ input: Input) -> Input

    /// Returns an input for a publisher that follows the current one; nil if the operator has no such input. By default nil.
    static func appended(_ publisher: Any) -> Input?

    /// Indicates whether upstreams that are merges leave their publishers to the operator. By default false.
    static var takesMerged: Bool { get }
}

extension FanInLogic {
    @inlinable func requested(in fanIn: FanIn<Self>) -> Completion? { nil }

    @inlinable func subscribed(in fanIn: FanIn<Self>) -> Completion? { nil }

    @inlinable static func left(_ input: Input) -> Input { input }

    @inlinable static func appended(_ publisher: Any) -> Input? { nil }

    @inlinable static var takesMerged: Bool { false }
}

/// The machinery of operators with several upstreams, at once or in turn: it merges their values into one downstream.
///
/// Each upstream sends to a ``FanInSource``. The owner of the mailbox handles values, completions, requests and cancellation one
/// at a time, by means of the ``FanInLogic``. It requests values from upstreams, and subscribes to new ones, after it has left
/// the mailbox, so that their immediate values find the mailbox idle instead of being queued.
///
/// A fan-in is created owned: items that arrive before ``start()`` wait until the downstream has its subscription.
@usableFromInline final class FanIn<Logic: FanInLogic>: SubscriptionCore, @unchecked Sendable {
    // Sound: the mailbox makes one thread at a time the owner, which alone uses the mutable properties; `sources` is thread-safe.
    @usableFromInline typealias Downstream = Logic.Downstream
    @usableFromInline typealias Demand = Subscribers.Demand

    @usableFromInline enum Mail {
        /// A value, with its origin: see ``WorkContext/origin``.
        case value(Logic.Input, from: Inlet?, origin: AnyObject? = nil)
        case ended(Inlet?, (any Error)?)
        case requested(Demand)
        case subscribed
        case cancelled
    }

    @usableFromInline let mailbox = Mailbox<Mail>()
    @usableFromInline let closed = Atomic<Bool>(false)
    /// Set once the downstream has requested unlimited values. Only ``FlatteningLogic`` sets it.
    @usableFromInline let wantsAll = Atomic<Bool>(false)
    @usableFromInline let sources = FanInSources()
    @usableFromInline let name: StaticString
    /// Passes on a request for no values, for the source to accept or reject. Otherwise it traps here.
    @usableFromInline let passesNothing: Bool
    /// Returns demand that the downstream returns for a value to its upstream. Otherwise it is requested.
    @usableFromInline let returnsDemand: Bool
    /// Posts a request, or the cancellation if nil. The closure is formed where the types are known, so that it stays
    /// specialized.
    @usableFromInline let postSpecialised: (FanIn, Demand?) -> Void
    /// Runs a handover job. Specialized in the same way.
    @usableFromInline let takeOverSpecialised: (FanIn) -> Void
    /// The context that the downstream provides, read before anything is sent.
    @usableFromInline let downstreamContext: (any _SubscriberContext)?
    // Only the owner uses the properties below.
    @exclusivity(unchecked) @usableFromInline var holder: Borrowed<Downstream>?
    @exclusivity(unchecked) @usableFromInline var logic: Logic?
    @exclusivity(unchecked) @usableFromInline var batch: [Mail] = []
    /// The downstream's open demand.
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    /// The demand that must still be requested from each upstream for which `isAsked` is true.
    @exclusivity(unchecked) @usableFromInline var due = Demand.none
    /// The demand that must be requested in addition from the upstream of the value that is being handled.
    @exclusivity(unchecked) @usableFromInline var answer = Demand.none
    /// The owner's actions after it has left: the first one, which needs no list, the further ones, and whether
    /// ``FanInLogic/subscribed(in:)`` is called after these.
    @exclusivity(unchecked) @usableFromInline var later: (() -> Void)?
    @exclusivity(unchecked) @usableFromInline var rest: [() -> Void] = []
    @exclusivity(unchecked) @usableFromInline var subscribes = false
    /// Called once, when the fan-in completes or is cancelled.
    @exclusivity(unchecked) @usableFromInline var onEnd: (() -> Void)?

    @inlinable init(
        _ logic: Logic, _ downstream: Downstream, named name: StaticString, passesNothing: Bool = false,
        returnsDemand: Bool = true
    ) {
        downstreamContext = downstream._subscriberContext
        holder = Borrowed(downstream)
        self.logic = logic
        self.name = name
        self.passesNothing = passesNothing
        self.returnsDemand = returnsDemand
        postSpecialised = { $0.post($1.map { .requested($0) } ?? .cancelled) }
        takeOverSpecialised = { $0.takeOver() }
        super.init()
        _ = mailbox.enter()
    }

    /// True once the fan-in has completed or was cancelled.
    @inlinable var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Sends the subscription to the downstream, and handles the items that have arrived. Called once.
    @inlinable func start() {
        if !isClosed { holder.borrow { $0.value.receive(subscription: self) } }
        leave()
    }

    /// Subscribes to a further upstream. For the parameters see ``FanInSource``.
    @inlinable @inline(__always) @discardableResult func attach<P: Publisher>(
        _ publisher: P, asking demand: Demand? = nil, isStrict: Bool = false, starts: Bool = false,
        as make: @escaping (P.Output) -> Logic.Input
    ) -> Self {
        let source = FanInSource<P.Output, P.Failure, Logic>(self, asking: demand, isStrict: isStrict, starts: starts, as: make)
        if sources.admit(source) { publisher.subscribe(source) }
        return self
    }

    /// Receives a value; returns how many more its upstream may send.
    @inlinable func receive(_ input: Logic.Input, from source: Inlet?) -> Demand {
        guard mailbox.enter() else {
            post(.value(Logic.left(input), from: source, origin: WorkContext.origin))
            return .none
        }
        if let end = logic?.receive(input, from: source, in: self) { finish(end) }
        let answer = self.answer
        self.answer = .none
        return leave(answering: returnsDemand ? source : nil) + answer
    }

    @inlinable func post(_ mail: Mail) { if take(mail) { leave() } }

    /// Handles an item as the owner, or posts it if another thread is the owner.
    ///
    /// - Returns: Whether the caller is the owner, and so must leave. If false, the item was posted for the owner, or handed
    ///   over.
    @inlinable func take(_ mail: Mail) -> Bool {
        if mailbox.enter() {
            handle(mail)
            return true
        }
        guard mailbox.post(mail) else { return false }
        var slice: TimeSlice?
        if handleMail(within: &slice) { return true }
        _ = handOver()
        return false
    }

    override func request(_ demand: Demand) {
        if demand != .none { return postSpecialised(self, demand) }
        if !passesNothing { demand.requireSome() }
        for source in sources.members where source?.isAsked == true { source?.pass(.none) }
    }

    override func cancel() {
        if closed.exchange(true, ordering: .acquiringAndReleasing) { return }
        sources.close()
        postSpecialised(self, nil)
    }

    override var description: String { name.description }

    /// Handles the items that the caller may handle; returns false if the rest must be handed over.
    @inlinable func handleMail(within slice: inout TimeSlice?) -> Bool {
        // An item has the origin that it was posted with, not that of the delivery in progress on this thread.
        var isAll = true
        WorkContext.withoutOrigin { isAll = mailbox.handleMail(within: &slice, &batch) { handle($0) } }
        return isAll
    }

    @inlinable func handle(_ mail: Mail) {
        var end: Subscribers.Completion<Downstream.Failure>?
        switch mail {
        case .value(let input, let source, let origin?):
            return WorkContext.with(origin: origin) { handle(.value(input, from: source)) }
        case .value(let input, let source, nil):
            end = logic?.receive(input, from: source, in: self)
            source?.request(answer)
            answer = .none
        case .ended(let source, let error): end = logic?.ended(source, error, in: self)
        case .requested(let more):
            add(more)
            end = logic?.requested(in: self)
        case .subscribed: end = logic?.subscribed(in: self)
        case .cancelled: letGo()
        }
        if let end { finish(end) }
    }

    /// Delivers a value, unless the fan-in is closed.
    @inlinable func deliver(_ value: Downstream.Input) {
        if isClosed { return }
        if demand != .unlimited { demand -= 1 }
        if let more = holder.borrow({ $0.value.receive(value) }), more != .none { add(more) }
    }

    @inlinable func add(_ more: Demand) {
        demand += more
        due += more
    }

    /// Registers a closure to be called after the owner has left, unless the fan-in is closed by then. Closures are called in the
    /// order of registration.
    @inlinable func afterwards(_ action: @escaping () -> Void) {
        if later == nil { later = action } else { rest.append(action) }
    }

    /// Registers a closure that subscribes to a further upstream, as ``afterwards(_:)`` does. When it has returned,
    /// ``FanInLogic/subscribed(in:)`` is called.
    @inlinable func subscribe(_ action: @escaping () -> Void) {
        afterwards(action)
        subscribes = true
    }

    @inlinable func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        // After a cancellation, the item of that cancellation releases everything.
        if closed.exchange(true, ordering: .acquiringAndReleasing) { return }
        sources.close()
        if let holder = holder.take() { holder.value.receive(completion: completion) }
        letGo()
    }

    @inlinable func letGo() {
        holder = nil
        (logic, later) = (nil, nil)
        rest = []
        onEnd.take()?()
    }

    /// Handles the remaining items, leaves the mailbox, and then requests values from the upstreams.
    ///
    /// - Parameter sender: The source whose value was just handled, if any.
    /// - Returns: The demand for `sender`, which is returned to its upstream instead of requested.
    @inlinable @discardableResult func leave(answering sender: Inlet? = nil) -> Demand {
        due == .none && later == nil && mailbox.leave() ? .none : leaveAsking(sender, within: nil)
    }

    /// The work of an owner after it has left: to request `due` from `asked`, to call `later` and `rest`, and, if `subscribes` is true,
    /// to call ``FanInLogic/subscribed(in:)``.
    @usableFromInline typealias Decided = (
        asked: [Inlet?], due: Demand, later: (() -> Void)?, rest: [() -> Void], subscribes: Bool
    )

    @inlinable func takeDecided() -> Decided {
        defer { (due, later, rest, subscribes) = (.none, nil, [], false) }
        return (due == .none ? [] : sources.members, due, later, rest, subscribes)
    }

    @inlinable @inline(never) func leaveAsking(_ sender: Inlet?, within slice: TimeSlice?) -> Demand {
        var sender = sender
        var answer = Demand.none
        var slice = slice
        while true {
            let decided = takeDecided()
            if mailbox.leave() {
                answer += ask(decided, answering: sender)
                sender = nil
                // Not `post`, which would call this function again, nested once for each element that waits.
                guard decided.subscribes, take(.subscribed) else { return answer }
                slice = nil
                continue
            }
            (_, due, later, rest, subscribes) = decided
            guard handleMail(within: &slice) else { return answer + handOver(answering: sender) }
        }
    }

    /// Requests values from the upstreams, and performs the owner's actions; returns the demand for `sender`.
    @inlinable func ask(_ decided: Decided, answering sender: Inlet?) -> Demand {
        for source in decided.asked where source?.isAsked == true && source !== sender { source?.request(decided.due) }
        if !isClosed { decided.later?() }
        for action in decided.rest where !isClosed { action() }
        return sender?.isAsked == true ? decided.due : .none
    }

    /// Hands the remaining items over, and then performs this owner's actions; returns the demand for `sender`.
    @inlinable func handOver(answering sender: Inlet? = nil) -> Demand {
        let decided = takeDecided()
        runDetached { [self] in takeOverSpecialised(self) }
        let answer = ask(decided, answering: sender)
        if decided.subscribes { post(.subscribed) }
        return answer
    }

    /// Continues, as a handover job, with the items that an owner has left.
    @inlinable func takeOver() {
        var slice: TimeSlice? = TimeSlice()
        _ = handleMail(within: &slice) ? leaveAsking(nil, within: slice) : handOver()
    }
}

/// The subscriber of one upstream of a ``FanIn``. Values that arrive after its end are dropped. It has the fan-in's identifier.
@usableFromInline
final class FanInSource<Input, Failure: Error, Logic: FanInLogic>: Inlet, Subscriber, @unchecked Sendable {
    // Sound: as the base class says; `starts` is only used by the call that subscribes to the upstream, and `parts` by the thread
    // that merges.
    @usableFromInline let fanIn: FanIn<Logic>
    @usableFromInline let make: (Input) -> Logic.Input
    @exclusivity(unchecked) @usableFromInline var starts: Bool
    /// The thread that is inside the subscribing to an upstream, which may be a merge and leave its publishers to this fan-in; 0 later.
    @usableFromInline let merger = Atomic<UInt>(0)
    /// The publishers that the upstream merges, as an array of erased ones, if it has left them to this fan-in.
    @exclusivity(unchecked) @usableFromInline var parts: Any?

    /// Creates the subscriber of an upstream.
    ///
    /// - Parameters:
    ///   - fanIn: The fan-in that receives the values.
    ///   - demand: The demand to request from the upstream, once; nil for the downstream's.
    ///   - isStrict: Whether values that arrive before the subscription are dropped.
    ///   - starts: Whether the subscription starts the fan-in.
    ///   - make: Makes an input of the logic from a value. It must not capture references.
    @inlinable init(
        _ fanIn: FanIn<Logic>, asking demand: Subscribers.Demand? = nil, isStrict: Bool = false,
        starts: Bool = false, as make: @escaping (Input) -> Logic.Input
    ) {
        self.fanIn = fanIn
        self.make = make
        self.starts = starts
        super.init(isOpen: !isStrict, isAsked: demand == nil)
        if let demand { request(demand) }
    }

    @usableFromInline var _subscriberContext: (any _SubscriberContext)? { fanIn.downstreamContext }

    @inlinable func receive(subscription: any Subscription) {
        fill(subscription)
        if starts {
            starts = false
            fanIn.start()
        }
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        isEnded ? .none : fanIn.receive(make(input), from: self)
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        if finish() { fanIn.post(.ended(self, completion.error)) }
    }

    @inlinable override func takesOver(appended publisher: Any) -> Bool {
        guard isAwaiting, let input = Logic.appended(publisher) else { return false }
        fanIn.post(.value(input, from: nil))
        return true
    }

    @inlinable override func takesOver(merged publishers: Any) -> Bool {
        guard Logic.takesMerged, merger.load(ordering: .relaxed) == currentThread(), !wasFilled else { return false }
        parts = publishers
        return true
    }

    @usableFromInline override var combineIdentifier: CombineIdentifier { fanIn.combineIdentifier }
    override var description: String { fanIn.description }
}

/// The upstreams of a ``FanIn``, each at its place while it may send. Not generic, so that adding and removing an upstream needs
/// no look-up of types.
@usableFromInline struct FanInSources: ~Copyable {
    private let guarded = Lock((members: [Inlet?](), free: [Int](), isClosed: false))
    init() {}
    @usableFromInline var members: [Inlet?] { guarded.withLock { $0.members } }
    @usableFromInline subscript(place: Int) -> Inlet? { guarded.withLock { $0.isClosed ? nil : $0.members[place] } }

    /// Adds a source, so that values are requested from it and it is cancelled with the others; returns false if the fan-in has
    /// ended.
    @usableFromInline func admit(_ source: Inlet) -> Bool {
        guarded.withLock { guarded in
            guard !guarded.isClosed else { return false }
            source.place = guarded.free.popLast() ?? guarded.members.count
            if source.place == guarded.members.count { guarded.members.append(nil) }
            guarded.members[source.place] = source
            return true
        }
    }

    /// Removes a source that sends no more.
    @usableFromInline func forget(_ source: Inlet) {
        guarded.withLock { guarded in
            guard !guarded.isClosed, source.place >= 0 else { return }
            guarded.members[source.place] = nil
            guarded.free.append(source.place)
            source.place = -1
        }
    }

    /// Cancels all upstreams, the last first, because a later one may exist only because of an earlier one.
    @usableFromInline func close() {
        let members = guarded.withLock { guarded in
            guarded.isClosed = true
            defer { guarded.members = [] }
            return guarded.members
        }
        for source in members.reversed() { source?.cancel() }
    }
}

/// A value of one of up to four types.
@usableFromInline enum OneOf<A, B, C, D> {
    case a(A)
    case b(B)
    case c(C)
    case d(D)
}
