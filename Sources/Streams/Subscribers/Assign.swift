extension Publisher where Failure == Never {
    /// Writes each value to a property of an object, in the isolation in which this is called, as the closures of
    /// ``Publisher/sink(isolation:receiveCompletion:receiveValue:)`` are run.
    /// - Parameter object: Kept alive until the publisher finishes or the subscription is cancelled.
    /// - Returns: What keeps the subscription going; cancels it when released.
    @inlinable public func assign<Root>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable { sink(isolation: isolation) { object[keyPath: keyPath] = $0 } }
}
