import Streams

extension Publisher where Failure == Never {
    /// Marks feedback as that of a child: reactions and rules in it carry the child's path.
    ///
    /// ```swift
    /// feedback: { states in
    ///     [states.map(\.cart).react(to: \.query) { … }.map(AppEvent.cart).located(at: .root.child("cart"))]
    /// }
    /// ```
    ///
    /// Equal queries of two children are then separate entries in ``Store/inFlight``, and rules of the same name are
    /// distinct in the journal. Nested calls append their paths. Outside a loop this operator does nothing.
    ///
    /// - Parameter path: The child's path, as the ``Reducer`` names it.
    /// - Returns: A publisher of the same events.
    public func located(at path: ScopePath) -> AnyPublisher<Output, Never> {
        .placed { outer in (self, outer.map { LoopPlace($0.context, at: $0.path.appending(path)) }, nil) }
    }
}
