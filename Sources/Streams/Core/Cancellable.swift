/// Something under way that can be stopped.
public protocol Cancellable {
    /// Stops it. Safe from any thread and more than once.
    func cancel()
}
