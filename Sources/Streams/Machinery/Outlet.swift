import Synchronization

/// An operator's connection to its downstream. It releases the downstream once it is closed and no delivery is in progress. A
/// thread that closes it during a delivery leaves the release to the thread that delivers.
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
        borrow { demand = $0.receive(value) }
        return demand
    }

    /// Delivers the subscription, unless closed.
    @inlinable borrowing func send(subscription: any Subscription) { borrow { $0.receive(subscription: subscription) } }

    /// Closes the outlet and delivers the completion, unless it was closed before.
    @inlinable borrowing func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        close { $0.receive(completion: completion) }
    }

    /// Closes the outlet: nothing is delivered after that.
    ///
    /// - Parameter last: Called with the downstream if this call is the one that closes.
    @inlinable borrowing func close(_ last: (borrowing BorrowedSubscriber<Downstream>) -> Void = { _ in }) {
        guard begin() else { return }
        if storage.state.bitwiseOr(1, ordering: .acquiringAndReleasing).oldValue & 1 == 0 { last(holder.pointee) }
        end()
    }

    /// Calls a closure with the downstream, unless closed.
    @inlinable borrowing func borrow(_ look: (borrowing BorrowedSubscriber<Downstream>) -> Void) {
        guard begin() else { return }
        look(holder.pointee)
        end()
    }

    /// The downstream. Valid only between `begin()` and `end()`.
    @inlinable var holder: UnsafeMutablePointer<BorrowedSubscriber<Downstream>> {
        storage.place.assumingMemoryBound(to: BorrowedSubscriber.self)
    }

    /// The context that the downstream provides; nil when closed.
    @usableFromInline var context: AnyObject? {
        var context: AnyObject?
        borrow { context = $0.downstream._subscriberContext }
        return context
    }

    /// The next trampoline below; nil when closed.
    @usableFromInline var _trampoline: ObjectIdentifier? {
        var trampoline: ObjectIdentifier?
        borrow { trampoline = $0.downstream._trampoline }
        return trampoline
    }
}

/// The storage of an outlet's downstream, without its type. A generic value that is destroyed in code that is not specialized,
/// such as the `deinit` of a class, looks up types at run time, which costs more than an allocation.
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
