import Synchronization

/// One of the upstreams of a ``Junction``. Values are dropped once it has ended.
@usableFromInline class PortCore: SubscriptionCore, @unchecked Sendable {
    // Sound: the inlet guards itself, `place` is written by the registry, behind its lock.
    @usableFromInline let inlet: Inlet
    /// Whether the downstream's demand is for this upstream.
    @usableFromInline let isAsked: Bool
    @exclusivity(unchecked) @usableFromInline var place = -1
    @usableFromInline init(isAsked: Bool, isStrict: Bool) {
        self.isAsked = isAsked
        inlet = Inlet(isOpen: !isStrict)
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
        if let demand { inlet.request(demand) }
    }
    @usableFromInline var subscriberContext: AnyObject? { junction.downstreamContext }
    @usableFromInline var landing: ObjectIdentifier? { junction.landing }
    @inlinable func receive(subscription: any Subscription) {
        inlet.fill(subscription)
        if starts {
            starts = false
            junction.start()
        }
    }
    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        inlet.isEnded ? .none : junction.receive(make(input), from: self)
    }
    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        if inlet.finish() { junction.post(.ended(self, completion.error as? Logic.Downstream.Failure)) }
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
        for port in members.reversed() { port?.inlet.cancel() }
    }
}
