import Synchronization

/// One upstream of a ``FanIn``, without its types. Values that arrive after its end are dropped.
@usableFromInline class FanInSourceCore: SubscriptionCore, @unchecked Sendable {
    // Sound: the inlet guards itself; only `FanInSources` writes `place`, behind its lock.
    @usableFromInline let inlet: Inlet
    /// Whether the downstream's demand is requested from this upstream.
    @usableFromInline let isAsked: Bool
    @exclusivity(unchecked) @usableFromInline var place = -1

    @usableFromInline init(isAsked: Bool, isStrict: Bool) {
        self.isAsked = isAsked
        inlet = Inlet(isOpen: !isStrict)
    }

    /// Leaves a publisher that is to follow this upstream to the fan-in.
    ///
    /// - Parameter publisher: An erased publisher of the same values.
    /// - Returns: Whether the fan-in subscribes to it.
    @usableFromInline func takesOver(appended publisher: Any) -> Bool { false }
}

/// The subscriber of one upstream of a ``FanIn``. As a `SubscriptionCore`, it forwards requests and cancellation to the fan-in,
/// whose identifier it has.
@usableFromInline
final class FanInSource<Input, Failure: Error, Logic: FanInLogic>: FanInSourceCore, Subscriber, @unchecked Sendable {
    // Sound: as the base class says; `starts` is only used when the upstream sends its subscription.
    @usableFromInline let fanIn: FanIn<Logic>
    @usableFromInline let make: (Input) -> Logic.Input
    @exclusivity(unchecked) @usableFromInline var starts: Bool

    /// Creates the subscriber of an upstream.
    ///
    /// - Parameters:
    ///   - fanIn: The fan-in that receives the values.
    ///   - demand: What is requested from the upstream, once; nil for what the downstream requests.
    ///   - isStrict: Whether values that arrive before the subscription are dropped.
    ///   - starts: Whether the subscription starts the fan-in.
    ///   - make: Makes an input of the logic from a value. It must capture nothing that has to be released.
    @inlinable init(
        _ fanIn: FanIn<Logic>, asking demand: Subscribers.Demand? = nil, isStrict: Bool = false,
        starts: Bool = false, as make: @escaping (Input) -> Logic.Input
    ) {
        self.fanIn = fanIn
        self.make = make
        self.starts = starts
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

    @inlinable override func takesOver(appended publisher: Any) -> Bool {
        guard let input = Logic.appended(publisher) else { return false }
        fanIn.post(.value(input, from: nil))
        return true
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) { fanIn.request(demand) }
    @usableFromInline override func cancel() { fanIn.cancel() }
    @usableFromInline override var combineIdentifier: CombineIdentifier { fanIn.combineIdentifier }
}

/// The upstreams of a ``FanIn``, each at its place for as long as it may send. Not generic, so that adding and removing an
/// upstream needs no look-up of types.
@usableFromInline struct FanInSources: ~Copyable {
    private let guarded = Lock((members: [FanInSourceCore?](), free: [Int](), isClosed: false))
    @usableFromInline init() {}
    @usableFromInline var members: [FanInSourceCore?] { guarded.withLock { $0.members } }
    @usableFromInline subscript(place: Int) -> FanInSourceCore? { guarded.withLock { $0.isClosed ? nil : $0.members[place] } }

    /// Adds a source, so that values are requested from it and it is cancelled with the others; returns false if the fan-in has
    /// ended.
    @usableFromInline func admit(_ source: FanInSourceCore) -> Bool {
        guarded.withLock { guarded in
            guard !guarded.isClosed else { return false }
            source.place = guarded.free.popLast() ?? guarded.members.count
            if source.place == guarded.members.count { guarded.members.append(nil) }
            guarded.members[source.place] = source
            return true
        }
    }

    /// Removes a source that sends no more.
    @usableFromInline func forget(_ source: FanInSourceCore) {
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
        for source in members.reversed() { source?.inlet.cancel() }
    }
}
