/// A subject that passes on what it is sent, to the subscribers it has at that moment.
///
/// Subscribers are served in the order in which they subscribed, and all of them see the same values in the same order:
/// a value sent from inside a delivery, or by another thread during one, is delivered after it. A subscriber without
/// demand misses the value.
/// ```swift
/// let keys = PassthroughSubject<Character, Never>(), cancellable = keys.sink { print($0) }
/// keys.send("q")  // prints q
/// ```
/// Sending is safe from any thread. It costs an atomic swap before and after, and no allocation.
public final class PassthroughSubject<Output, Failure: Error>: Subject, GrammaticalPublisher {
    @usableFromInline let core: SubjectCore<Output, Failure>

    /// A subject without subscribers.
    @inlinable public init() { core = SubjectCore(name: "PassthroughSubject", current: nil) }

    @inlinable deinit { core.abandonSpecialised(core) }

    /// Attaches a subscriber.
    @inlinable @inline(__always) public func receive(subscriber: some Subscriber<Output, Failure>) { core.attach(subscriber) }

    /// Sends a value to every subscriber that has demand; see the type for the order.
    @inlinable public func send(_ value: Output) { core.send(value) }

    /// Ends the subject. Later subscribers get the completion at once; later values go nowhere.
    @inlinable public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }

    /// Takes an upstream; it is asked for values without limit once a subscriber of this subject asks for any.
    public func send(subscription: any Subscription) { core.attach(upstream: subscription, waitsForDemand: true) }
}

// Sound: all state is in SubjectCore, which guards it. Values cross threads, hence Sendable only where they are.
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}
