/// A receiver of values from a ``Publisher``.
///
/// The publisher's calls of the three methods never overlap, but may come from different threads.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    /// The type of the values.
    associatedtype Input
    /// The type of the error that a run may end with; `Never` if it cannot fail.
    associatedtype Failure: Error

    /// Receives the subscription, before anything else.
    ///
    /// - Parameter subscription: Keep it to request values and to cancel.
    func receive(subscription: any Subscription)

    /// Receives a value.
    ///
    /// - Parameter input: The value.
    /// - Returns: The additional demand.
    func receive(_ input: Input) -> Subscribers.Demand

    /// Receives the completion, after which nothing arrives.
    ///
    /// - Parameter completion: Whether the run finished or failed.
    func receive(completion: Subscribers.Completion<Failure>)

    /// The work that the subscriber at the end of the chain belongs to, such as an event of a loop. In this way, a job learns which
    /// loop it belongs to.
    ///
    /// Nil by default. An operator returns its downstream's.
    var _subscriberContext: (any _SubscriberContext)? { get }
}

extension Subscriber {
    /// Nil.
    @inlinable public var _subscriberContext: (any _SubscriberContext)? { nil }

    /// Receives a `Void` value.
    ///
    /// - Returns: The additional demand.
    @inlinable public func receive() -> Subscribers.Demand where Input == Void { receive(()) }
}

/// The work for which a stream runs, such as an event of a loop or one of its jobs. Safe from any thread.
public protocol _SubscriberContext: AnyObject {
    /// True once it was cancelled. Its streams may still live: those of a loop that is isolated to an actor are cancelled there.
    var _wantsNoMore: Bool { get }
    /// True if the work has task-locals of its own.
    var _hasTaskLocals: Bool { get }
    /// Calls a closure with the task-locals of this work.
    func _bind(_ work: () -> Void)
}

/// The namespace of demand, completion and the ready-made subscribers.
public enum Subscribers {}
