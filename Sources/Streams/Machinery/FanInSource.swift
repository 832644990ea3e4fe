import Synchronization

/// One of the upstreams of a ``FanIn``. Values are dropped once it has ended.
@usableFromInline class FanInSourceCore: SubscriptionCore, @unchecked Sendable {
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

/// Subscribes a ``FanIn`` to upstreams of one type. To others it is the operator's subscription.
@usableFromInline
final class FanInSource<Input, Failure: Error, Logic: FanInLogic>: FanInSourceCore, Subscriber, @unchecked Sendable {
    // Sound: as the base class says; `starts` is only touched by who brings the subscription.
    @usableFromInline let fanIn: FanIn<Logic>
    @usableFromInline let make: (Input) -> Logic.Input
    @exclusivity(unchecked) @usableFromInline var starts: Bool

    /// A source whose upstream is asked for `demand`, once, or for what the downstream asks for if that is nil. If it is strict,
    /// what comes before the subscription is dropped; if it starts, the subscription starts the fan-in. What makes a value
    /// an input of the logic captures nothing that must be let go.
    @inlinable init(
        _ fanIn: FanIn<Logic>, asking demand: Subscribers.Demand? = nil, isStrict: Bool = false,
        starts: Bool = false, as make: @escaping (Input) -> Logic.Input
    ) {
        (self.fanIn, self.make, self.starts) = (fanIn, make, starts)
        super.init(isAsked: demand == nil, isStrict: isStrict)
        if let demand { inlet.request(demand) }
    }

    @usableFromInline var _subscriberContext: AnyObject? { fanIn.downstreamContext }
    @usableFromInline var _trampoline: ObjectIdentifier? { fanIn.trampoline }

    @inlinable func receive(subscription: any Subscription) {
        inlet.fill(subscription)
        if starts {
            starts = false
            fanIn.start()
        }
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        inlet.isEnded ? .none : fanIn.receive(make(input), from: self)
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        if inlet.finish() { fanIn.post(.ended(self, completion.error as? Logic.Downstream.Failure)) }
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) { fanIn.request(demand) }
    @usableFromInline override func cancel() { fanIn.cancel() }
    @usableFromInline override var combineIdentifier: CombineIdentifier { fanIn.combineIdentifier }
}

/// The upstreams of a ``FanIn``, each in its place for as long as it may send. Not generic, so that nothing need be
/// looked up about types when an upstream comes or goes.
@usableFromInline struct FanInSources: ~Copyable {
    private let guarded = Lock((members: [FanInSourceCore?](), free: [Int](), isClosed: false))
    @usableFromInline init() {}
    @usableFromInline var members: [FanInSourceCore?] { guarded.withLock { $0.members } }
    @usableFromInline subscript(place: Int) -> FanInSourceCore? { guarded.withLock { $0.isClosed ? nil : $0.members[place] } }

    /// Gives a source a place, so that it is asked and cancelled with the others, unless there is nobody to send to any more.
    @usableFromInline func admit(_ source: FanInSourceCore) -> Bool {
        guarded.withLock { guarded in
            guard !guarded.isClosed else { return false }
            source.place = guarded.free.popLast() ?? guarded.members.count
            if source.place == guarded.members.count { guarded.members.append(nil) }
            guarded.members[source.place] = source
            return true
        }
    }

    /// Takes away the place of a source that sends no more.
    @usableFromInline func forget(_ source: FanInSourceCore) {
        guarded.withLock { guarded in
            guard !guarded.isClosed, source.place >= 0 else { return }
            guarded.members[source.place] = nil
            guarded.free.append(source.place)
            source.place = -1
        }
    }

    /// Cancels all upstreams, the last first: that is what was subscribed to because of an earlier one.
    @usableFromInline func close() {
        let members = guarded.withLock { guarded in
            guarded.isClosed = true
            defer { guarded.members = [] }
            return guarded.members
        }
        for source in members.reversed() { source?.inlet.cancel() }
    }
}
