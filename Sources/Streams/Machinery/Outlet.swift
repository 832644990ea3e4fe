import Synchronization

/// An operator's end towards its downstream: delivers, and lets the downstream go once it has been closed and no delivery
/// is under way, whichever thread closes it: one that closes it during a delivery leaves that to the one that delivers.
@usableFromInline struct Outlet<Downstream: Subscriber>: ~Copyable {
    @usableFromInline let storage: OutletStorage

    @inlinable init(_ downstream: Downstream) {
        let place = UnsafeMutablePointer<BorrowedSubscriber<Downstream>>.allocate(capacity: 1)
        place.initialize(to: BorrowedSubscriber(downstream))
        storage = OutletStorage(place) { $0.assumingMemoryBound(to: BorrowedSubscriber<Downstream>.self).deinitialize(count: 1) }
    }

    @inlinable var isClosed: Bool { storage.state.load(ordering: .relaxed) & 1 != 0 }

    @inlinable borrowing func begin() -> Bool {
        if storage.state.wrappingAdd(2, ordering: .acquiring).oldValue & 1 == 0 { return true }
        end()
        return false
    }

    /// After the last delivery to one that is closed, lets the downstream go. More than one caller may find no delivery under way,
    /// but only one of them swaps the state to "gone".
    @inlinable borrowing func end() {
        if storage.state.wrappingSubtract(2, ordering: .acquiringAndReleasing).newValue == 1,
            storage.state.compareExchange(expected: 1, desired: OutletStorage.gone, ordering: .acquiringAndReleasing).exchanged
        {
            storage.empty(storage.place)
        }
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
    @inlinable borrowing func close(_ last: (borrowing BorrowedSubscriber<Downstream>) -> Void = { _ in }) {
        guard begin() else { return }
        if storage.state.bitwiseOr(1, ordering: .acquiringAndReleasing).oldValue & 1 == 0 { last(holder.pointee) }
        end()
    }

    /// Looks at the downstream, unless closed.
    @inlinable borrowing func borrow(_ look: (borrowing BorrowedSubscriber<Downstream>) -> Void) {
        guard begin() else { return }
        look(holder.pointee)
        end()
    }

    /// There between `begin` and `end`.
    @inlinable var holder: UnsafeMutablePointer<BorrowedSubscriber<Downstream>> {
        storage.place.assumingMemoryBound(to: BorrowedSubscriber.self)
    }

    /// What the downstream lends.
    @usableFromInline var context: AnyObject? {
        var context: AnyObject?
        borrow { context = $0.downstream._subscriberContext }
        return context
    }

    /// The next trampoline below.
    @usableFromInline var _trampoline: ObjectIdentifier? {
        var trampoline: ObjectIdentifier?
        borrow { trampoline = $0.downstream._trampoline }
        return trampoline
    }
}

/// Where an outlet keeps its downstream, without knowing the type: what is generic looks for types at run time when it ends in
/// code that is not specialised, as the end of a class is, and that costs more than an allocation.
@usableFromInline struct OutletStorage: ~Copyable {
    /// Twice the number of deliveries under way, plus one when closed.
    @usableFromInline let state = Atomic<UInt>(0)
    @usableFromInline let place: UnsafeMutableRawPointer, empty: (UnsafeMutableRawPointer) -> Void

    @inlinable init(_ place: UnsafeMutableRawPointer, empty: @escaping (UnsafeMutableRawPointer) -> Void) {
        (self.place, self.empty) = (place, empty)
    }

    @inlinable deinit {
        if state.load(ordering: .acquiring) != Self.gone { empty(place) }
        place.deallocate()
    }

    /// Closed and let go: far from any number of deliveries, so that a late begin and end never meet 1 again.
    @inlinable static var gone: UInt { 1 << 62 | 1 }
}
