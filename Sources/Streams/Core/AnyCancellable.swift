import Synchronization

/// A cancellable that cancels when it is released.
///
/// Keep it as long as the work shall go on. Two are equal only if they are the same object.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
    // Sound: the one stored word is atomic; whoever takes the reference out of it owns it.
    @usableFromInline let target: Atomic<UnsafeMutableRawPointer?>

    /// Keeps a subscription, or what stands for it, and nothing else.
    @inlinable
    package init(keeping core: SubscriptionCore) {
        target = Atomic(Unmanaged.passRetained(core).toOpaque())
    }

    /// Runs a closure when cancelled or released, once.
    ///
    /// - Parameter cancel: What to do; it may run on any thread.
    @preconcurrency
    public convenience init(_ cancel: @escaping @Sendable () -> Void) {
        self.init(keeping: CancelAction(cancel))
    }

    /// Cancels something else when cancelled or released, once.
    ///
    /// - Parameter canceller: Kept until then.
    public convenience init<C: Cancellable>(_ canceller: C) {
        if let core = canceller as? SubscriptionCore {
            self.init(keeping: core)
        } else {
            self.init(keeping: CancelForwarding(canceller))
        }
    }

    deinit { cancel() }

    /// Cancels now, if that has not been done.
    public func cancel() {
        guard let taken = target.exchange(nil, ordering: .acquiringAndReleasing) else { return }
        Unmanaged<SubscriptionCore>.fromOpaque(taken).takeRetainedValue().cancel()
    }

    /// Keeps this object alive in a collection, and with it what it would cancel.
    public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
        collection.append(self)
    }

    /// Keeps this object alive in a set, and with it what it would cancel.
    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

    /// Whether two references are to the same object.
    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A closure to run on cancellation.
private final class CancelAction: SubscriptionCore, @unchecked Sendable {
    // Sound: immutable, and the closure is Sendable.
    private let action: @Sendable () -> Void
    init(_ action: @escaping @Sendable () -> Void) { self.action = action }
    override func request(_ demand: Subscribers.Demand) {}
    override func cancel() { action() }
}

/// Somebody's cancellable.
private final class CancelForwarding<C: Cancellable>: SubscriptionCore, @unchecked Sendable {
    // Sound as far as the cancellable is: Cancellable demands that cancel() is safe from any thread.
    private let base: C
    init(_ base: C) { self.base = base }
    override func request(_ demand: Subscribers.Demand) {}
    override func cancel() { base.cancel() }
}
