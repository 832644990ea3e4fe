/// A publisher that starts sending when it is connected, so that all its subscribers can be attached first.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts sending.
    ///
    /// - Returns: A cancellable that stops it.
    func connect() -> any Cancellable
}
