/// A subject that has a value, which every new subscriber gets first.
///
/// Otherwise like ``PassthroughSubject``, but that a subscriber without demand gets the value that is current when it asks.
/// ```swift
/// let level = CurrentValueSubject<Int, Never>(3), cancellable = level.sink { print($0) }  // prints 3
/// level.value += 1                                                                        // prints 4
/// ```
public final class CurrentValueSubject<Output, Failure: Error>: Subject, GrammaticalPublisher {
    @usableFromInline package let core: SubjectCore<Output, Failure>

    /// A subject with a first value.
    @inlinable public init(_ value: Output) { core = SubjectCore(name: "CurrentValueSubject", current: value) }

    @inlinable deinit { core.abandonSpecialised(core) }
    @inlinable package init(core: SubjectCore<Output, Failure>) { self.core = core }

    /// The value last sent. Setting it sends the new one; after the end it only changes what is read here.
    ///
    /// Read from any thread, it is the value of that moment; a value sent from inside a delivery shows here at once, though
    /// subscribers get it after the delivery. To read, change and write is not one step: other threads may send in between.
    @inlinable public var value: Output {
        get { core.current }
        set { core.sendKeeping(newValue, alsoAfterTheEnd: true) }
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always) public func receive(subscriber: some Subscriber<Output, Failure>) { core.attach(subscriber) }

    /// Makes a value the current one and sends it to every subscriber that has demand.
    @inlinable public func send(_ value: Output) { core.sendKeeping(value) }

    /// Ends the subject. Later subscribers get the completion at once; later values change nothing.
    @inlinable public func send(completion: Subscribers.Completion<Failure>) { core.send(completion: completion) }

    /// Takes an upstream and asks it for values without limit.
    public func send(subscription: any Subscription) { core.attach(upstream: subscription, waitsForDemand: false) }
}

// Sound: all state is in SubjectCore, which guards it. Values cross threads, hence Sendable only where they are.
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}
