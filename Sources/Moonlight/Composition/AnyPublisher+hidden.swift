import Streams

extension AnyPublisher {
    /// The publisher that is hidden, if it is of this type.
    @inlinable
    func hidden<P: Publisher>(as type: P.Type) -> P? where P.Output == Output, P.Failure == Failure {
        if case .hidden(let box) = storage { (box as? HiddenPublisherOf<P>)?.base } else { nil }
    }
}
