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
