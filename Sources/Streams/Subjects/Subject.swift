/// A publisher whose values are sent by imperative code, which calls ``send(_:)``.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to the subscribers.
    func send(_ value: Output)

    /// Completes the subject: every subscriber receives the completion, and nothing after it.
    func send(completion: Subscribers.Completion<Failure>)

    /// Adds an upstream to request values from, when the subject is used as a subscriber.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Sends a `Void` value to the subscribers.
    @inlinable public func send() { send(()) }
}

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

/// A subject that stores a current value, which every new subscriber receives first.
///
/// Otherwise it behaves like ``PassthroughSubject``, except that a subscriber without demand receives the current value as soon
/// as it requests one.
/// ```swift
/// let level = CurrentValueSubject<Int, Never>(3), cancellable = level.sink { print($0) }  // prints 3
/// level.value += 1                                                                        // prints 4
/// ```
public final class CurrentValueSubject<Output, Failure: Error>: Subject, GrammaticalPublisher {
    @usableFromInline package let core: SubjectCore<Output, Failure>

    /// Creates a subject with an initial value.
    @inlinable public init(_ value: Output) { core = SubjectCore(current: value) }

    @inlinable deinit { core.abandon() }

    /// The value last sent. Setting it sends the new value; after the completion, setting it only changes the value that is read
    /// here.
    ///
    /// It may be read from any thread. A value that is sent from inside a delivery can be read here at once, though subscribers
    /// receive it after the delivery. Reading, changing and writing the value is not atomic: other threads may send in between.
    @inlinable public var value: Output {
        get { core.current! }
        set { core.sendKeeping(newValue, alsoAfterTheEnd: true) }
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always) public func receive(subscriber: some Subscriber<Output, Failure>) { core.attach(subscriber) }

    /// Makes a value the current one, and sends it to every subscriber that has demand.
    @inlinable public func send(_ value: Output) { core.sendKeeping(value) }

    /// Completes the subject. Later subscribers receive the completion at once; values that are sent later are dropped.
    @inlinable public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }

    /// Adds an upstream, and requests all its values.
    public func send(subscription: any Subscription) { core.attach(upstream: subscription, waitsForDemand: false) }
}

// Sound: all state is in SubjectCore, which protects it. Values cross threads, so the subject is Sendable only if they are.
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}
