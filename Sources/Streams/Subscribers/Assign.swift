extension Publisher where Failure == Never {
    /// Writes each value to a property of an object.
    ///
    /// The property is written, and the object released, in the isolation of the caller, where the closures of
    /// ``Publisher/sink(isolation:receiveCompletion:receiveValue:)`` are run and released.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - object: The object. It is kept alive until the publisher finishes or the subscription is cancelled.
    ///   - isolation: The actor on which the property is written; that of the caller by default.
    /// - Returns: A cancellable that keeps the subscription alive, and cancels it when released.
    @inlinable public func assign<Root>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable { sink(isolation: isolation) { object[keyPath: keyPath] = $0 } }
}
