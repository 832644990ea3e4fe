/// The result of `_sendReady(to:)`. Ready values are those that a publisher can deliver without a subscription, such as the
/// elements of a sequence.
@frozen public enum _ReadyValues {
    /// `unready`: there are no ready values, and the publisher must be subscribed to. `taken`: all values were taken. `left`:
    /// some values were taken, and the object is a publisher of the rest: a `HiddenPublisher` of the same types, which
    /// belongs to a higher layer and cannot be named here.
    case unready
    case taken
    case left(AnyObject)
}
