import Synchronization

// The connections of a subscriber in a chain: an inlet to its upstream, as a value or an object, and an outlet to its downstream.

/// An operator's connection to an upstream, which guards the subscription; the place of the subscription of a `sink`, and the base
/// class of the subscribers of a fan-in.
///
/// Different threads may fill it, request and end it at the same time. Demand that is requested before the subscription arrives
/// is passed on when it does. The subscription is never called with the lock held.
@usableFromInline package class Inlet: SubscriptionCore, @unchecked Sendable {
    // Sound: `state` is atomic, and the lock protects `guarded`; only `FanInSources` writes `place`, behind its lock.
    /// 0 before the subscription, if earlier values are dropped; 1 if open; 2 after the end.
    @usableFromInline let state: Atomic<UInt8>
    private let guarded = Lock((upstream: SubscriptionCore?.none, early: Subscribers.Demand.none, isFilled: false))
    /// True if a fan-in requests the downstream's demand from this upstream.
    @usableFromInline let isAsked: Bool
    /// The place among the upstreams of a fan-in; -1 if it has none.
    @exclusivity(unchecked) @usableFromInline var place = -1

    /// Creates an empty inlet.
    ///
    /// - Parameters:
    ///   - isOpen: Whether values are accepted that arrive before the subscription.
    ///   - isAsked: Whether a fan-in requests the downstream's demand from this upstream.
    @usableFromInline package init(isOpen: Bool = false, isAsked: Bool = false) {
        state = Atomic(isOpen ? 1 : 0)
        self.isAsked = isAsked
    }

    /// Indicates whether values are dropped: after the end, and before the subscription unless the inlet was created open. It costs
    /// one load, so that it can be checked for each value.
    @inlinable @inline(__always) package final var isEnded: Bool { state.load(ordering: .acquiring) != 1 }

    /// Indicates whether the subscription is still awaited. Always false if the inlet was created open.
    @usableFromInline final var isAwaiting: Bool { state.load(ordering: .acquiring) == 0 }

    /// Indicates whether a subscription has ever been stored.
    @usableFromInline final var wasFilled: Bool { guarded.withLock { $0.isFilled } }

    /// Indicates whether there is a subscription.
    final var isFilled: Bool { upstream != nil }

    /// The subscription, if there is one.
    final var upstream: SubscriptionCore? { guarded.withLock { $0.upstream } }

    /// Stores the subscription, or cancels it if it is a second one or arrives after the end; returns whether it was stored.
    @discardableResult @usableFromInline package final func fill(_ subscription: any Subscription) -> Bool {
        let candidate = SubscriptionCore.adopting(subscription)
        let early = guarded.withLock { guarded -> Subscribers.Demand? in
            guard !guarded.isFilled, state.load(ordering: .relaxed) != 2 else { return nil }
            state.store(1, ordering: .releasing)
            (guarded.upstream, guarded.isFilled) = (candidate, true)
            return guarded.early
        }
        guard let early else {
            candidate.cancel()
            return false
        }
        if early != .none { candidate.request(early) }
        return true
    }

    /// Requests values from the upstream, now or when its subscription arrives. Ignores a demand for none.
    @usableFromInline package override final func request(_ demand: Subscribers.Demand) { if demand != .none { pass(demand) } }

    /// Passes on a request of the downstream, even for no values: the source accepts or rejects that.
    package final func pass(_ demand: Subscribers.Demand) {
        guarded.withLock { guarded in
            if !guarded.isFilled { guarded.early += demand }
            return guarded.upstream
        }?.request(demand)
    }

    /// Ends because the upstream has completed; returns whether this call ended it. Before the subscription it has no effect,
    /// unless the inlet was created open.
    @usableFromInline package final func finish() -> Bool {
        if isAwaiting { return false }
        let (first, upstream) = end()
        discard(upstream)
        return first
    }

    /// Ends and cancels the upstream.
    @usableFromInline package override final func cancel() { _ = cancelOnce() }

    /// Ends and cancels the upstream; returns whether this call ended the inlet.
    @usableFromInline final func cancelOnce() -> Bool {
        let (first, subscription) = end()
        subscription?.cancel()
        return first
    }

    /// Ends because the upstream has sent all values that are needed. A subscription of this module is cancelled, so that it
    /// releases the operator; any other, which has served its demand, is only released, as in Combine.
    @usableFromInline final func retire() {
        let upstream = end().upstream
        if !(upstream is ForeignSubscription) { upstream?.cancel() }
    }

    private final func end() -> (first: Bool, upstream: SubscriptionCore?) {
        guarded.withLock { guarded in
            (state.exchange(2, ordering: .acquiringAndReleasing) != 2, guarded.upstream.take())
        }
    }

    /// Passes a publisher that follows this upstream to the fan-in.
    ///
    /// - Parameter publisher: An erased publisher of the same values.
    /// - Returns: Whether the fan-in subscribes to it.
    @usableFromInline func takesOver(appended publisher: Any) -> Bool { false }

    /// Leaves the publishers that this upstream merges to the fan-in.
    ///
    /// - Parameter publishers: Erased publishers of the same values.
    /// - Returns: Whether the fan-in subscribes to them.
    @usableFromInline func takesOver(merged publishers: Any) -> Bool { false }
}

/// An operator's connection to its downstream. It releases the downstream once it is closed and no delivery is in progress. If a
/// thread closes it during a delivery, the delivering thread releases the downstream.
@usableFromInline struct Outlet<Downstream: Subscriber>: ~Copyable {
    @usableFromInline let storage: OutletStorage

    @inlinable init(_ downstream: Downstream) {
        let place = UnsafeMutablePointer<Borrowed<Downstream>>.allocate(capacity: 1)
        place.initialize(to: Borrowed(downstream))
        storage = OutletStorage(place) { $0.assumingMemoryBound(to: Borrowed<Downstream>.self).deinitialize(count: 1) }
    }

    @inlinable var isClosed: Bool { storage.state.load(ordering: .relaxed) & 1 != 0 }

    @inlinable borrowing func begin() -> Bool {
        if storage.state.wrappingAdd(2, ordering: .acquiring).oldValue & 1 == 0 { return true }
        end()
        return false
    }

    /// Ends a delivery, and releases the downstream if this was the last one and the outlet is closed. More than one caller may
    /// find no delivery in progress, but only one swaps the state to `gone`.
    @inlinable borrowing func end() {
        if storage.state.wrappingSubtract(2, ordering: .acquiringAndReleasing).newValue == 1,
            storage.state.compareExchange(expected: 1, desired: OutletStorage.gone, ordering: .acquiringAndReleasing).exchanged
        {
            storage.empty(storage.place)
        }
    }

    /// Delivers a value, unless closed; returns the demand that the downstream returns.
    @inlinable borrowing func send(_ value: Downstream.Input) -> Subscribers.Demand {
        var demand = Subscribers.Demand.none
        borrow { demand = $0.value.receive(value) }
        return demand
    }

    /// Delivers the subscription, unless closed.
    @inlinable borrowing func send(subscription: any Subscription) {
        borrow { $0.value.receive(subscription: subscription) }
    }

    /// Closes the outlet and delivers the completion, unless it was closed before.
    @inlinable borrowing func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        close { $0.value.receive(completion: completion) }
    }

    /// Closes the outlet: nothing is delivered after that.
    ///
    /// - Parameter last: Called with the downstream if this call is the one that closes.
    @inlinable borrowing func close(_ last: (borrowing Borrowed<Downstream>) -> Void = { _ in }) {
        guard begin() else { return }
        if storage.state.bitwiseOr(1, ordering: .acquiringAndReleasing).oldValue & 1 == 0 { last(holder.pointee) }
        end()
    }

    /// Calls a closure with the downstream, unless closed.
    @inlinable borrowing func borrow(_ look: (borrowing Borrowed<Downstream>) -> Void) {
        guard begin() else { return }
        look(holder.pointee)
        end()
    }

    /// The downstream. Valid only between `begin()` and `end()`.
    @inlinable var holder: UnsafeMutablePointer<Borrowed<Downstream>> {
        storage.place.assumingMemoryBound(to: Borrowed.self)
    }

    /// The context that the downstream provides; nil when closed.
    @usableFromInline var context: (any _SubscriberContext)? {
        var context: (any _SubscriberContext)?
        borrow { context = $0.value._subscriberContext }
        return context
    }
}

/// The storage of an outlet's downstream, without its type. Destroying a generic value in code that is not specialized, such as
/// the `deinit` of a class, looks up types at run time, which costs more than an allocation.
@usableFromInline struct OutletStorage: ~Copyable {
    /// Twice the number of deliveries in progress, plus 1 if closed.
    @usableFromInline let state = Atomic<UInt>(0)
    @usableFromInline let place: UnsafeMutableRawPointer
    @usableFromInline let empty: (UnsafeMutableRawPointer) -> Void

    @inlinable init(_ place: UnsafeMutableRawPointer, empty: @escaping (UnsafeMutableRawPointer) -> Void) {
        self.place = place
        self.empty = empty
    }

    @inlinable deinit {
        if state.load(ordering: .acquiring) != Self.gone { empty(place) }
        place.deallocate()
    }

    /// The state after the downstream was released. It is far above any number of deliveries, so that a late `begin()` and
    /// `end()` never see 1 again.
    @inlinable static var gone: UInt { 1 << 62 | 1 }
}

/// A noncopyable holder of a value, which avoids reference counting in calls. A subscriber is a struct of closures and
/// references, and Swift copies a copyable struct out of a mutable field before it calls a method on it: a retain and a release
/// of each reference for each value, which cost more than all else. A noncopyable value is borrowed instead.
@usableFromInline struct Borrowed<Value>: ~Copyable {
    @usableFromInline let value: Value

    @inlinable @inline(__always) init(_ value: Value) { self.value = value }
}

extension Optional where Wrapped: ~Copyable {
    /// Calls a closure with the value, which it borrows; returns nil if there is none.
    @inlinable @inline(__always) @discardableResult
    borrowing func borrow<Result>(_ look: (borrowing Wrapped) -> Result) -> Result? {
        switch self {
        case .some(let value): look(value)
        case .none: nil
        }
    }
}
