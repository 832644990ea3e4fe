/// What has become of the values that a publisher may have ready, as one of a sequence has: see `_sendReady(to:)`.
@frozen public enum _ReadyValues<Output, Failure: Error> {
    /// None lie ready: the publisher must be subscribed to. All were taken. Some were, and here is a publisher of the rest: a
    /// `HiddenPublisher` of the same types, without its type, for that is above this.
    case unready, taken, left(AnyObject)
}
