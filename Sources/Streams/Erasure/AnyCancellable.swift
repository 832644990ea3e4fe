/// A cancellable that cancels when it is released.
///
/// Keep it as long as the work shall go on. Two are equal only if they are the same object.
public final class AnyCancellable: Cancellable, Hashable, Sendable {
    /// Cancelled as often as this is: each time it returns, it has taken effect, whichever thread was first.
    @usableFromInline let target: SubscriptionCore

    /// Keeps a subscription whose `cancel()` lets go of all that it holds.
    @inlinable package init(keeping core: SubscriptionCore) { target = core }

    /// Runs a closure when cancelled or released, once, on whatever thread that is.
    @preconcurrency public convenience init(_ cancel: @escaping @Sendable () -> Void) {
        self.init(keeping: Cancelling(mayRepeat: false, Closure(call: cancel)))
    }

    /// Keeps something else and cancels it when cancelled or released: once, or twice if two threads do it at the same moment.
    public convenience init<C: Cancellable>(_ canceller: C) { self.init(keeping: Cancelling(mayRepeat: true, canceller)) }

    deinit { target.cancel() }

    /// Cancels now, if that has not been done.
    public func cancel() { target.cancel() }

    /// Keeps this alive in a collection, and with it what it would cancel.
    @inlinable public func store<C: RangeReplaceableCollection<AnyCancellable>>(in collection: inout C) {
        collection.append(self)
    }

    /// Keeps this alive in a set, and with it what it would cancel.
    @inlinable public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

    /// Whether two references are to the same object.
    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private struct Closure: Cancellable {
    let call: @Sendable () -> Void
    func cancel() { call() }
}

/// Something to do on cancellation. Of two threads that cancel at the same moment, the second must not return before the first
/// has taken effect. It cannot wait, for the first may wait for it; but what may be cancelled more than once it can cancel, too.
@usableFromInline final class Cancelling: SubscriptionCore, @unchecked Sendable {
    // Sound: all but a constant is behind the lock; the action is safe from any thread, as Cancellable demands.
    private typealias Action = UncheckedTransfer<any Cancellable>?
    private let guarded: Lock<(action: Action, thread: UInt?)>
    private let mayRepeat: Bool

    @usableFromInline init(mayRepeat: Bool, _ action: any Cancellable) {
        guarded = Lock((UncheckedTransfer(action), nil))
        self.mayRepeat = mayRepeat
        IterativeRelease.boxWasMade()
    }

    deinit { _ = IterativeRelease.boxWillEnd() }
    @usableFromInline override func request(_ demand: Subscribers.Demand) {}

    /// One that is cancelled deep inside others is set aside, and cancelled when those around it have been: before the outermost
    /// returns.
    @usableFromInline override func cancel() {
        guard IterativeRelease.mayBeDeep() else { return cancelHere() }
        IterativeRelease.end({ cancelHere() }, setAside: { AnyCancellable(keeping: self) })
    }

    private func cancelHere() {
        let thread = currentThread()
        let action = guarded.withLock { guarded in
            // Called again from inside the action, it would never end.
            if guarded.thread != nil, !mayRepeat || guarded.thread == thread { return nil as Action }
            guarded.thread = guarded.thread ?? thread
            return guarded.action
        }
        guard let action = action?.value else { return }
        action.cancel()
        discard(guarded.withLock { $0.action.take() })
    }
}

extension Cancellable {
    /// Keeps this alive in a collection, and with it what it would cancel.
    @inlinable public func store<C: RangeReplaceableCollection<AnyCancellable>>(in collection: inout C) {
        collection.append(AnyCancellable(self))
    }

    /// Keeps this alive in a set, and with it what it would cancel.
    @inlinable public func store(in set: inout Set<AnyCancellable>) { set.insert(AnyCancellable(self)) }
}
