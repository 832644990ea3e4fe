/// A cancellable that cancels when it is released.
///
/// Keep it for as long as the work should continue. Two are equal only if they are the same object. All methods are safe on any
/// thread.
public final class AnyCancellable: Cancellable, Hashable, Sendable {
    /// The subscription. Each cancellation of this object calls its `cancel()`, even if another thread was first, so that each
    /// returns only when cancellation has taken effect.
    @usableFromInline let target: SubscriptionCore

    /// Creates a cancellable for a subscription whose `cancel()` releases all that it holds.
    @inlinable package init(keeping core: SubscriptionCore) { target = core }

    /// Creates a cancellable that calls a closure once, when it is cancelled or released.
    ///
    /// If two threads cancel at the same time, the second may return before the closure does.
    ///
    /// - Parameter cancel: Called on the thread that cancels or releases this object.
    @preconcurrency public convenience init(_ cancel: @escaping @Sendable () -> Void) {
        self.init(keeping: Cancelling(mayRepeat: false, Closure(call: cancel)))
    }

    /// Creates a cancellable that cancels another when it is cancelled or released.
    ///
    /// - Parameter canceller: The other cancellable. It is released after it was cancelled. Threads that cancel at the same time
    ///   each cancel it.
    public convenience init<C: Cancellable>(_ canceller: C) { self.init(keeping: Cancelling(mayRepeat: true, canceller)) }

    deinit { target.cancel() }

    /// Cancels now. Has no effect after the first time.
    public func cancel() { target.cancel() }

    /// Stores this cancellable in a collection, which keeps it alive.
    ///
    /// - Parameter collection: The collection. Removing the cancellable from it releases it, which cancels.
    @inlinable public func store<C: RangeReplaceableCollection<AnyCancellable>>(in collection: inout C) {
        collection.append(self)
    }

    /// Stores this cancellable in a set, which keeps it alive.
    ///
    /// - Parameter set: The set. Removing the cancellable from it releases it, which cancels.
    @inlinable public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

    /// Returns true if both references are to the same object.
    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private struct Closure: Cancellable {
    let call: @Sendable () -> Void
    func cancel() { call() }
}

/// An action to perform on cancellation.
///
/// If two threads cancel at the same time, the second should not return before the cancellation has taken effect. It cannot wait,
/// because the first may wait for it. But if the action may be repeated (`mayRepeat`), the second thread performs it, too.
final class Cancelling: SubscriptionCore, @unchecked Sendable {
    // Sound: all but a constant is behind the lock; the action is safe on any thread, as Cancellable requires.
    private typealias Action = UncheckedTransfer<any Cancellable>?
    /// The threads that are performing the action: the first, and those that repeat it.
    private let guarded: Lock<(action: Action, thread: UInt?, others: [UInt])>
    private let mayRepeat: Bool

    init(mayRepeat: Bool, _ action: any Cancellable) {
        guarded = Lock((UncheckedTransfer(action), nil, []))
        self.mayRepeat = mayRepeat
    }

    override func request(_ demand: Subscribers.Demand) {}

    /// Cancels now, or if the nesting is too deep, after the cancellables around it, before the outermost returns.
    override func cancel() {
        IterativeRelease.end({ cancelHere() }, setAside: { AnyCancellable(keeping: self) })
    }

    private func cancelHere() {
        let thread = currentThread()
        let action = guarded.withLock { guarded in
            // Without this check, an action that cancels this object would call itself without end.
            if guarded.thread == nil {
                guarded.thread = thread
            } else {
                if !mayRepeat || guarded.thread == thread || guarded.others.contains(thread) { return nil as Action }
                guarded.others.append(thread)
            }
            return guarded.action
        }
        guard let action = action?.value else { return }
        action.cancel()
        discard(guarded.withLock { $0.action.take() })
    }
}

extension Cancellable {
    /// Stores an ``AnyCancellable`` for this in a collection. When that is released, this is cancelled.
    ///
    /// - Parameter collection: The collection.
    @inlinable public func store<C: RangeReplaceableCollection<AnyCancellable>>(in collection: inout C) {
        collection.append(AnyCancellable(self))
    }

    /// Stores an ``AnyCancellable`` for this in a set. When that is released, this is cancelled.
    ///
    /// - Parameter set: The set.
    @inlinable public func store(in set: inout Set<AnyCancellable>) { set.insert(AnyCancellable(self)) }
}
