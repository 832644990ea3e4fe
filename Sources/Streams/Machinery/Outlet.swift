import Synchronization

/// An operator's end towards its downstream: delivers, and lets the downstream go once it has been closed and no delivery
/// is under way, whichever thread closes it: one that closes it during a delivery leaves that to the one that delivers.
@usableFromInline struct Outlet<Downstream: Subscriber>: ~Copyable {
    /// Twice the number of deliveries under way, plus one when closed.
    @usableFromInline let state = Atomic<UInt>(0)
    @usableFromInline let place: UnsafeMutablePointer<Holder<Downstream>?>
    @inlinable init(_ downstream: Downstream) {
        place = .allocate(capacity: 1)
        place.initialize(to: Holder(downstream))
    }
    @inlinable deinit { place.deinitialize(count: 1).deallocate() }
    @inlinable var isClosed: Bool { state.load(ordering: .relaxed) & 1 != 0 }
    @inlinable borrowing func begin() -> Bool {
        if state.wrappingAdd(2, ordering: .acquiring).oldValue & 1 == 0 { return true }
        end()
        return false
    }
    @inlinable borrowing func end() {
        if state.wrappingSubtract(2, ordering: .acquiringAndReleasing).newValue == 1 { letGo() }
    }
    /// Delivers a value, unless closed.
    @inlinable borrowing func send(_ value: Downstream.Input) -> Subscribers.Demand {
        var demand = Subscribers.Demand.none
        borrow { demand = $0.receive(value) }
        return demand
    }
    /// Delivers the subscription.
    @inlinable borrowing func send(subscription: any Subscription) { borrow { $0.receive(subscription: subscription) } }
    /// Closes and delivers the completion, unless closed before.
    @inlinable borrowing func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        close { $0.receive(completion: completion) }
    }
    /// Nothing more is delivered from here on. Gives the downstream to `last`, if this call is the one that closes.
    @inlinable borrowing func close(_ last: (borrowing Holder<Downstream>) -> Void = { _ in }) {
        guard begin() else { return }
        if state.bitwiseOr(1, ordering: .acquiringAndReleasing).oldValue & 1 == 0 {
            switch place.pointee {
            case .some(let holder): last(holder)
            case .none: break
            }
        }
        end()
    }
    /// Looks at the downstream, unless closed.
    @inlinable borrowing func borrow(_ look: (borrowing Holder<Downstream>) -> Void) {
        guard begin() else { return }
        switch place.pointee {
        case .some(let holder): look(holder)
        case .none: break
        }
        end()
    }
    /// What the downstream lends.
    @usableFromInline var context: AnyObject? {
        var context: AnyObject?
        borrow { context = $0.downstream.subscriberContext }
        return context
    }
    /// Runs once or more after the last delivery; only one caller at a time finds the state closed with none under way,
    /// and those who come after find nothing to do.
    @inlinable borrowing func letGo() {
        // Whoever swaps the state to "gone" owns the downstream.
        if state.compareExchange(expected: 1, desired: Self.gone, ordering: .acquiringAndReleasing).exchanged {
            place.pointee = nil
        }
    }
    /// Closed and let go: far from any number of deliveries, so that a late begin and end never meet 1 again.
    @inlinable static var gone: UInt { 1 << 62 | 1 }
}
