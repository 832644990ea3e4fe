/// What has become of the values that a publisher may have ready, as one of a sequence has: see `_sendReady(to:)`.
@frozen public enum _ReadyValues<Output, Failure: Error> {
    /// None lie ready: the publisher must be subscribed to. All were taken. Some were, and here is a publisher of the rest.
    case unready, taken, left(AnyPublisher<Output, Failure>)
    /// The same for an operator: what is left goes through it.
    @inlinable @inline(__always)
    public func through<P: Publisher>(_ attach: (AnyPublisher<Output, Failure>) -> P) -> _ReadyValues<P.Output, P.Failure> {
        switch self {
        case .unready: .unready
        case .taken: .taken
        case .left(let rest): .left(AnyPublisher(attach(rest)))
        }
    }
}
