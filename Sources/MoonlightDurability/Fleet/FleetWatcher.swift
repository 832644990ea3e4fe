import Moonlight
import Streams

/// An observer of a member, across its sleep.
final class FleetWatcher<State: Equatable & Sendable>: Sendable {
    private let continuation: AsyncStream<State>.Continuation
    private let guarded = Lock(Guarded())

    private struct Guarded: @unchecked Sendable {
        // Sound: only used behind the lock.
        var place: FleetPlace?
        var subscription: AnyCancellable?
        var last: State?
        /// The use of the member that keeps it awake.
        var kept: FleetPlace?
        var isOver = false
    }

    init(_ continuation: AsyncStream<State>.Continuation) { self.continuation = continuation }

    /// Observes the member's current store. Does nothing if it already does.
    func attach<Event>(_ store: Store<State, Event>, _ place: FleetPlace) {
        let isNew = guarded.withLock { guarded in
            defer { guarded.place = place }
            return guarded.place != place
        }
        guard isNew else { return }
        let subscription = store.states.sink { [weak self] state in self?.take(state) }
        let old = guarded.withLock { guarded in
            defer { guarded.subscription = subscription }
            return UncheckedTransfer(guarded.subscription)
        }
        discard(old)
    }

    /// Passes a state on, unless it equals the one at which the member fell asleep. States do not overlap: a store begins when
    /// the one before has ended.
    private func take(_ state: State) {
        let last = guarded.withLock { UncheckedTransfer($0.last) }.value
        if last == state { return }
        let old = guarded.withLock { guarded in
            defer { guarded.last = state }
            return UncheckedTransfer(guarded.last)
        }
        discard(old)
        continuation.yield(state)
    }

    /// Keeps the use of a member until ``takeKept()``.
    ///
    /// - Returns: True if it is kept; if not, the watcher has ended.
    func keep(_ place: FleetPlace) -> Bool {
        guarded.withLock { guarded in
            if !guarded.isOver { guarded.kept = place }
            return !guarded.isOver
        }
    }

    /// Ends the watching, and returns the kept use.
    func takeKept() -> FleetPlace? {
        guarded.withLock { guarded in
            guarded.isOver = true
            return guarded.kept.take()
        }
    }

    func finish() {
        continuation.finish()
        let old = guarded.withLock { UncheckedTransfer($0.subscription.take()) }
        discard(old)
    }
}
