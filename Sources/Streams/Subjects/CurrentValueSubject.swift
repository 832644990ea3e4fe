/// A subject that has a value, which every new subscriber gets first.
///
/// Otherwise like ``PassthroughSubject``, but that a subscriber without demand gets the value that is current when it
/// asks.
///
/// ```swift
/// let level = CurrentValueSubject<Int, Never>(3)
/// let cancellable = level.sink { print($0) }  // prints 3
/// level.value += 1                            // prints 4
/// ```
public final class CurrentValueSubject<Output, Failure: Error>: Subject, GrammaticalPublisher {
    @usableFromInline let core: SubjectCore<Output, Failure>
    /// A subject with a first value.
    @inlinable public init(_ value: Output) { core = SubjectCore(name: "CurrentValueSubject", current: value) }
    @inlinable deinit { core.abandon() }
    /// A subject that somebody's loop drives: see ``SubjectCore/drive(_:)``. Nobody may read ``value`` after its end.
    @inlinable package init(driven value: Output) {
        core = SubjectCore(name: "CurrentValueSubject", current: value, isDriven: true)
    }

    /// Sets what is called when there are notes for the driver to handle.
    @inlinable package func drive(_ callDriver: @escaping () -> Void) { core.drive(callDriver) }
    /// Delivers the current value to those who have joined so far.
    @inlinable package func release() { core.release() }
    /// Sends a value, as the driver.
    @inlinable package func sendDriven(_ value: Output) { core.sendDriven(value) }
    /// Changes what the driver has and makes it current: see ``SubjectCore/commitDriven(_:_:)``.
    @inlinable package func commitDriven(_ change: () -> Void, _ value: () -> Output) { core.commitDriven(change, value) }
    /// Delivers what has been committed, as the driver.
    @inlinable package func deliverDriven(_ value: Output) { core.deliverDriven(value) }
    /// Handles the notes, as the driver.
    @inlinable package func handleNotes() { core.handleNotes() }
    /// Finishes, as the driver.
    @inlinable package func finishDriven(isPatient: Bool) { core.finishDriven(isPatient: isPatient) }
    /// The value last sent. Setting it sends the new one; after the end it only changes what is read here.
    ///
    /// Read from any thread, it is the value of that moment; a value sent from inside a delivery shows here at once,
    /// though subscribers get it after the delivery. To read, change and write is not one step: other threads may send
    /// in between.
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
