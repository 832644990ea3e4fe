import Synchronization

/// One of the upstreams of a ``Junction``: the subscription, guarded. Values are dropped once it has ended.
///
/// What is asked before the subscription is there is asked when it comes. It is never called with the lock held.
@usableFromInline class PortCore: SubscriptionCore, @unchecked Sendable {
    // Sound: `guarded` is behind its lock, `state` is atomic, `place` is written by the registry, behind its lock.
    /// 0 before the subscription, if what comes before it is dropped; 1 when open; 2 when ended.
    @usableFromInline let state: Atomic<UInt8>
    private let guarded = Lock((upstream: SubscriptionCore?.none, early: Subscribers.Demand.none, isFilled: false))
    /// Whether the downstream's demand is for this upstream.
    @usableFromInline let isAsked: Bool
    @exclusivity(unchecked) @usableFromInline var place = -1

    @usableFromInline init(isAsked: Bool, isStrict: Bool) {
        self.isAsked = isAsked
        state = Atomic(isStrict ? 0 : 1)
    }

    @inlinable final var isOpen: Bool { state.load(ordering: .acquiring) == 1 }
    @usableFromInline final var hasSubscription: Bool { guarded.withLock { $0.isFilled } }
    /// Takes the subscription in; a second one, or one that comes after the end, is cancelled instead.
    @usableFromInline final func fill(_ subscription: any Subscription) {
        let candidate = SubscriptionCore.adopting(subscription)
        let early = guarded.withLock { guarded -> Subscribers.Demand? in
            guard guarded.upstream == nil, state.load(ordering: .relaxed) != 2 else { return nil }
            state.store(1, ordering: .releasing)
            (guarded.upstream, guarded.isFilled) = (candidate, true)
            return guarded.early
        }
        guard let early else { return candidate.cancel() }
        if early != .none { candidate.request(early) }
    }

    /// Asks the upstream for values, now or when its subscription is there.
    @usableFromInline final func ask(_ demand: Subscribers.Demand) { if demand != .none { pass(demand) } }

    @usableFromInline final func pass(_ demand: Subscribers.Demand) {
        guarded.withLock { guarded in
            if guarded.upstream == nil { guarded.early += demand }
            return guarded.upstream
        }?.request(demand)
    }

    /// Ends because the upstream has completed; returns whether this call ended it.
    @usableFromInline final func finish() -> Bool { isOpen && end().first }
    /// Ends and cancels the upstream.
    @usableFromInline final func cut() { end().upstream?.cancel() }
    /// Ends because the upstream has sent all that is wanted of it. One of ours is cancelled, so that it forgets this port;
    /// anybody else's, having sent what it was asked for, is let go and no more, as in Combine.
    @usableFromInline final func retire() {
        let upstream = end().upstream
        if !(upstream is ForeignSubscription) { upstream?.cancel() }
    }

    private final func end() -> (first: Bool, upstream: SubscriptionCore?) {
        guarded.withLock { guarded in
            (state.exchange(2, ordering: .acquiringAndReleasing) != 2, guarded.upstream.take())
        }
    }
}

/// A port for upstreams of one kind. To others it is the operator's subscription.
@usableFromInline final class Port<Input, Failure: Error, Logic: JunctionLogic>: PortCore, Subscriber, @unchecked Sendable {
    // Sound: as the base class says; `starts` is only touched by who brings the subscription.
    @usableFromInline let junction: Junction<Logic>
    @usableFromInline let make: (Input) -> Logic.Input
    @exclusivity(unchecked) @usableFromInline var starts: Bool
    /// A port whose upstream is asked for `demand`, once, or for what the downstream asks for if that is nil. If it is strict,
    /// what comes before the subscription is dropped; if it starts, the subscription starts the junction. What makes a value
    /// an input of the logic captures nothing that must be let go.
    @inlinable init(
        _ junction: Junction<Logic>, asking demand: Subscribers.Demand? = nil, isStrict: Bool = false,
        starts: Bool = false, as make: @escaping (Input) -> Logic.Input
    ) {
        (self.junction, self.make, self.starts) = (junction, make, starts)
        super.init(isAsked: demand == nil, isStrict: isStrict)
        if let demand { ask(demand) }
    }

    @usableFromInline var subscriberContext: AnyObject? { junction.downstreamContext }

    @inlinable func receive(subscription: any Subscription) {
        fill(subscription)
        if starts {
            starts = false
            junction.start()
        }
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand { isOpen ? junction.receive(make(input), from: self) : .none }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        if finish() { junction.post(.ended(self, completion.error as? Logic.Downstream.Failure)) }
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) { junction.request(demand) }
    @usableFromInline override func cancel() { junction.cancel() }
    @usableFromInline override var combineIdentifier: CombineIdentifier { junction.combineIdentifier }
}

/// The upstreams of a ``Junction``, each in its place for as long as it may send. Not generic, so that nothing need be
/// looked up about types when an upstream comes or goes.
@usableFromInline struct PortRegistry: ~Copyable {
    private let guarded = Lock((members: [PortCore?](), free: [Int](), isClosed: false))
    @usableFromInline init() {}
    @usableFromInline var members: [PortCore?] { guarded.withLock { $0.members } }
    @usableFromInline subscript(place: Int) -> PortCore? { guarded.withLock { $0.isClosed ? nil : $0.members[place] } }
    /// Gives a port a place, so that it is asked and cancelled with the others, unless there is nobody to send to any more.
    @usableFromInline func admit(_ port: PortCore) -> Bool {
        guarded.withLock { guarded in
            guard !guarded.isClosed else { return false }
            port.place = guarded.free.popLast() ?? guarded.members.count
            if port.place == guarded.members.count { guarded.members.append(nil) }
            guarded.members[port.place] = port
            return true
        }
    }

    /// Takes away the place of a port that sends no more.
    @usableFromInline func forget(_ port: PortCore) {
        guarded.withLock { guarded in
            guard !guarded.isClosed, port.place >= 0 else { return }
            guarded.members[port.place] = nil
            guarded.free.append(port.place)
            port.place = -1
        }
    }

    /// Cancels all upstreams, the last first: that is what was subscribed to because of an earlier one.
    @usableFromInline func close() {
        let members = guarded.withLock { guarded in
            guarded.isClosed = true
            defer { guarded.members = [] }
            return guarded.members
        }
        for port in members.reversed() { port?.cut() }
    }
}
