extension SendError: CustomDebugStringConvertible {
    /// The ``description``; for a ``Rejection``, with the child and the place in the source.
    public var debugDescription: String {
        if case .rejected(let rejection as Rejection) = self {
            "the event was rejected: \(rejection.debugDescription)"
        } else {
            description
        }
    }
}
