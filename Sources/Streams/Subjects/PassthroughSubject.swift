/// A subject that sends each value to its current subscribers, and stores none.
///
/// Subscribers are served in the order in which they subscribed, and all receive the same values in the same order: a value that
/// is sent from inside a delivery, or by another thread during one, is delivered after it. A subscriber without demand misses the
/// value.
/// ```swift
/// let keys = PassthroughSubject<Character, Never>(), cancellable = keys.sink { print($0) }
/// keys.send("q")  // prints q
/// ```
/// Any thread may send. Unless a delivery is under way, sending costs two atomic exchanges, one before and one after, and no
/// allocation.
public final class PassthroughSubject<Output, Failure: Error>: Subject, GrammaticalPublisher {
    @usableFromInline let core: SubjectCore<Output, Failure>

    /// Creates a subject without subscribers.
    @inlinable public init() { core = SubjectCore(current: nil) }

    @inlinable deinit { core.abandon() }

    /// Attaches a subscriber.
    @inlinable @inline(__always) public func receive(subscriber: some Subscriber<Output, Failure>) { core.attach(subscriber) }

    /// Sends a value to every subscriber that has demand; see ``PassthroughSubject`` for the order.
    @inlinable public func send(_ value: Output) { core.send(value) }

    /// Completes the subject. Later subscribers receive the completion at once; values that are sent later are dropped.
    @inlinable public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }

    /// Adds an upstream, and requests all its values once a subscriber of this subject requests any.
    public func send(subscription: any Subscription) { core.attach(upstream: subscription, waitsForDemand: true) }
}

// Sound: all state is in SubjectCore, which protects it. Values cross threads, so the subject is Sendable only if they are.
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}
