/// A publisher that starts sending when it is told to, so that all its subscribers can be there first.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts sending; returns what stops it.
    func connect() -> any Cancellable
}
