/// A publisher that imperative code feeds by calling ``send(_:)``.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to the subscribers.
    func send(_ value: Output)

    /// Ends the subject: every subscriber gets the completion, and nothing after it.
    func send(completion: Subscribers.Completion<Failure>)

    /// Gives the subject an upstream to ask for values, when it is itself used as a subscriber.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Tells the subscribers that it happened.
    @inlinable public func send() { send(()) }
}
