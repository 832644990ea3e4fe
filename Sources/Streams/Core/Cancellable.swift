/// An activity that can be cancelled.
public protocol Cancellable {
    /// Cancels the activity. Safe to call from any thread, and more than once.
    func cancel()
}
