import Synchronization

/// Many upstreams into one downstream: what merge, flatMap, and every source that sends of its own accord share.
///
/// Values come in through ``FunnelInlet``s and leave one at a time, as the downstream asks for them; what arrives before
/// that waits in `buffer`. All inputs, also requests and cancellation, are handled by the owner of the mailbox, so that
/// the accounting is plain sequential code. An inlet is asked for everything if the downstream wants everything at the
/// time, else for one value at a time, so that at most one value of each waits.
@usableFromInline
final class Funnel<Downstream: Subscriber>: SubscriptionCore, @unchecked Sendable {
    // Sound: the mailbox makes one thread at a time the owner of everything below it; `inlets` is behind its lock.
    @usableFromInline typealias Output = Downstream.Input
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias Completion = Subscribers.Completion<Failure>

    /// What can happen.
    @usableFromInline
    enum Input {
        case value(Output, from: FunnelInlet<Downstream>?)
        case closed(FunnelInlet<Downstream>?)
        case failed(Failure)
        /// Failed, but what was sent before comes first.
        case closedFailing(Failure)
        case requested(Subscribers.Demand)
        case cancelled
    }

    @usableFromInline let mailbox = Mailbox<Input>()
    @usableFromInline let isClosed = Atomic<Bool>(false)
    /// Whether the downstream has asked for everything: then inlets are asked for everything, too.
    @usableFromInline let wantsAll = Atomic<Bool>(false)
    /// Handles the mail. Formed where the types are known, which keeps it specialised behind `any Subscription`.
    @usableFromInline let handleMailSpecialised: (Funnel) -> Void
    /// How many may still send, and one more as long as others may join them. At zero the funnel finishes.
    @usableFromInline let open: Atomic<Int>
    @usableFromInline let inlets = Lock(Registry())
    @usableFromInline let name: String

    // The owner's.
    @exclusivity(unchecked) @usableFromInline var holder: Holder<Downstream>?
    @exclusivity(unchecked) @usableFromInline var demand = Subscribers.Demand.none
    @exclusivity(unchecked) @usableFromInline var buffer = Queue<(value: Output, inlet: FunnelInlet<Downstream>?)>()
    @exclusivity(unchecked) @usableFromInline var ending = Completion.finished
    @exclusivity(unchecked) @usableFromInline var batch: [Input] = []
    /// Runs when the funnel ends for whatever reason.
    @exclusivity(unchecked) @usableFromInline var onEnd: (() -> Void)?

    /// The inlets that must be cancelled with the funnel.
    @usableFromInline
    struct Registry: @unchecked Sendable {
        // Sound: behind the lock.
        @usableFromInline var members: [FunnelInlet<Downstream>?] = []
        @usableFromInline var free: [Int] = []
        @usableFromInline var isClosed = false
        @inlinable init() {}
    }

    /// - Parameter open: How many inlets the funnel waits for before it finishes.
    @inlinable
    init(_ downstream: Downstream, open: Int, named name: String) {
        downstreamContext = downstream.subscriberContext
        holder = Holder(downstream)
        self.open = Atomic(open)
        self.name = name
        handleMailSpecialised = { $0.handleMail() }
        super.init()
    }

    // MARK: Inputs

    /// Hands the subscription to the downstream. Before any input.
    @inlinable
    func start() {
        // Entered, so that nothing overlaps; requests from inside wait in the mailbox.
        guard mailbox.enter() else { return }
        switch holder {
        case .some(let holder): holder.receive(subscription: self)
        case .none: break
        }
        if !mailbox.leave() { handleMail() }
    }

    /// Takes a value in.
    ///
    /// - Returns: Whether it has gone to the downstream; if not, it waits.
    @inlinable
    func receive(_ value: Output, from inlet: FunnelInlet<Downstream>?) -> Bool {
        guard mailbox.enter() else {
            post(.value(value, from: inlet))
            return false
        }
        let isThrough = demand != .none && buffer.isEmpty
        if isThrough {
            deliver(value)
        } else if !isClosed.load(ordering: .acquiring) {
            buffer.append((value, inlet))
        }
        if !mailbox.leave() { handleMail() }
        return isThrough
    }

    /// Counts one more that may send.
    @inlinable
    func expectOneMore() { open.wrappingAdd(1, ordering: .relaxed) }

    @inlinable
    func post(_ input: Input) {
        if mailbox.post(input) { handleMail() }
    }

    @usableFromInline
    override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        if demand == .unlimited { wantsAll.store(true, ordering: .releasing) }
        if mailbox.post(.requested(demand)) { handleMailSpecialised(self) }
    }

    @usableFromInline
    override func cancel() {
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        cancelInlets()
        if mailbox.post(.cancelled) { handleMailSpecialised(self) }
    }

    @usableFromInline
    override var description: String { name }

    /// What the downstream lends, found out before anything is sent.
    @usableFromInline let downstreamContext: AnyObject?

    // MARK: The owner's work

    @inlinable
    func handleMail() {
        // What others have left is not sent by whoever this thread is delivering for.
        if DeliveryOrigin.isSet { DeliveryOrigin.none { handleAllMail() } } else { handleAllMail() }
    }

    @inlinable
    func handleAllMail() {
        repeat {
            mailbox.collect(into: &batch)
            batch.reverse()
            while let input = batch.popLast() { handle(input) }
        } while !mailbox.leave()
    }

    @inlinable
    func handle(_ input: Input) {
        switch input {
        case .value(let value, let inlet):
            guard !isClosed.load(ordering: .acquiring) else { return }
            buffer.append((value, inlet))
            drain()
        case .requested(let more):
            demand += more
            drain()
        case .closed(let inlet):
            if let inlet { forget(inlet) }
            closeOne()
        case .closedFailing(let error):
            ending = .failure(error)
            closeOne()
        case .failed(let error):
            finish(.failure(error))
        case .cancelled:
            letGo()
        }
    }

    @inlinable
    func closeOne() {
        if open.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0, buffer.isEmpty { finish(ending) }
    }

    @inlinable
    func deliver(_ value: Output) {
        guard !isClosed.load(ordering: .acquiring) else { return }
        if demand != .unlimited { demand -= 1 }
        let more =
            switch holder {
            case .some(let holder): holder.receive(value)
            case .none: Subscribers.Demand.none
            }
        demand += more
    }

    @inlinable
    func drain() {
        while demand != .none, let (value, inlet) = buffer.popFirst() {
            deliver(value)
            inlet?.valueDelivered()
        }
        if buffer.isEmpty, open.load(ordering: .acquiring) == 0 { finish(ending) }
    }

    @inlinable
    func finish(_ completion: Completion) {
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return letGo() }
        cancelInlets()
        if let holder = holder.take() { holder.receive(completion: completion) }
        letGo()
    }

    @inlinable
    func letGo() {
        holder = nil
        buffer = Queue()
        demand = .none
        if let end = onEnd {
            onEnd = nil
            end()
        }
    }

    // MARK: Inlets

    /// Registers an inlet so that it is cancelled with the funnel.
    ///
    /// - Returns: Whether the funnel is still open; if not, there is nobody to send to.
    @inlinable
    func admit(_ inlet: FunnelInlet<Downstream>) -> Bool {
        inlets.withLock { registry in
            guard !registry.isClosed else { return false }
            if let place = registry.free.popLast() {
                registry.members[place] = inlet
                inlet.place = place
            } else {
                inlet.place = registry.members.count
                registry.members.append(inlet)
            }
            return true
        }
    }

    @inlinable
    func forget(_ inlet: FunnelInlet<Downstream>) {
        inlets.withLock { registry in
            guard !registry.isClosed, inlet.place >= 0 else { return }
            registry.members[inlet.place] = nil
            registry.free.append(inlet.place)
        }
    }

    @inlinable
    func cancelInlets() {
        let members = inlets.withLock { registry in
            registry.isClosed = true
            defer { registry.members = [] }
            return UncheckedTransfer(registry.members)
        }.value
        for member in members { member?.cancel() }
    }
}

/// One of the upstreams of a ``Funnel``.
@usableFromInline
final class FunnelInlet<Downstream: Subscriber>: Subscriber, @unchecked Sendable {
    // Sound: the inlet guards itself; `place` is only touched with the funnel's registry locked; `wantsAll` is set before
    // the first value and only read after it.
    @usableFromInline typealias Input = Downstream.Input
    @usableFromInline typealias Failure = Downstream.Failure

    @usableFromInline let funnel: Funnel<Downstream>
    @usableFromInline let inlet = Inlet()
    @usableFromInline var place = -1
    @exclusivity(unchecked) @usableFromInline var wantsAll = false
    /// Told when this upstream has finished.
    @usableFromInline let onFinish: (() -> Void)?

    @inlinable
    init(_ funnel: Funnel<Downstream>, onFinish: (() -> Void)? = nil) {
        self.funnel = funnel
        self.onFinish = onFinish
    }

    @inlinable
    func receive(subscription: any Subscription) {
        guard inlet.fill(subscription) else { return }
        wantsAll = funnel.wantsAll.load(ordering: .acquiring)
        subscription.request(wantsAll ? .unlimited : .max(1))
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard !inlet.isEnded else { return .none }
        return funnel.receive(input, from: wantsAll ? nil : self) && !wantsAll ? .max(1) : .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard inlet.finish() else { return }
        switch completion {
        case .finished:
            funnel.post(.closed(self))
            onFinish?()
        case .failure(let error):
            funnel.post(.failed(error))
        }
    }

    /// A value of this inlet that waited has gone: time for the next.
    @inlinable
    func valueDelivered() { inlet.request(.max(1)) }

    @inlinable
    func cancel() { inlet.cancel() }

    @usableFromInline var subscriberContext: AnyObject? { funnel.downstreamContext }
}
