/// A receiver of values from a ``Publisher``.
///
/// The publisher calls the three methods one at a time, never overlapping, though perhaps from different threads.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    /// The kind of values received.
    associatedtype Input
    /// The kind of error a run may end with; `Never` if it cannot fail.
    associatedtype Failure: Error

    /// Tells the subscriber that it is attached. Keep the subscription to request values and to cancel.
    func receive(subscription: any Subscription)

    /// Hands over one value; returns how many more are wanted, added to what was requested before.
    func receive(_ input: Input) -> Subscribers.Demand

    /// Tells the subscriber that nothing more will come, and whether the run ended as it should or with an error.
    func receive(completion: Subscribers.Completion<Failure>)

    /// What the end of the chain lends to operators further up, as a loop lends its jobs. Nil unless it is overridden; an
    /// operator passes on what its downstream has.
    var _subscriberContext: AnyObject? { get }

    /// The next place below where a very long chain is cut into segments, to save stack. Leave it to its default, unless you wrap a
    /// subscriber and your publisher has an `_erasureDepth`: then pass on what the downstream has.
    var _trampoline: ObjectIdentifier? { get }
}

extension Subscriber {
    /// Nothing.
    @inlinable public var _subscriberContext: AnyObject? { nil }

    /// None.
    @inlinable public var _trampoline: ObjectIdentifier? { nil }

    /// Hands over a value of a subscriber that only wants to know when.
    @inlinable public func receive() -> Subscribers.Demand where Input == Void { receive(()) }
}

/// The namespace of what a ``Subscriber`` deals in: demand and completion.
public enum Subscribers {}
