extension Publisher where Failure == Never {
    /// Writes each value to a property of an object.
    ///
    /// The property is written in the isolation in which this is called, as the closures of
    /// ``Publisher/sink(isolation:receiveCompletion:receiveValue:)`` are run.
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - object: Kept alive until the publisher finishes or the subscription is cancelled.
    ///   - isolation: Where the property is written; leave it to its default.
    /// - Returns: What keeps the subscription going; cancels it when released.
    @inlinable public func assign<Root>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable { sink(isolation: isolation) { object[keyPath: keyPath] = $0 } }
}
