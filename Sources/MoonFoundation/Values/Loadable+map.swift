extension Loadable {
    /// Returns the same state with the loaded or previous value transformed.
    ///
    /// - Parameter transform: Transforms the value.
    /// - Returns: The transformed `Loadable`.
    /// - Throws: What `transform` throws.
    public func map<NewValue, Thrown: Error>(
        _ transform: (Value) throws(Thrown) -> NewValue
    ) throws(Thrown) -> Loadable<NewValue, Failure> {
        switch self {
        case .idle: .idle
        case .loading(let previous?): .loading(previous: try transform(previous))
        case .loading(nil): .loading()
        case .loaded(let value): .loaded(try transform(value))
        case .failed(let error): .failed(error)
        }
    }

    /// Returns the same state with the error transformed.
    ///
    /// - Parameter transform: Transforms the error.
    /// - Returns: The transformed `Loadable`.
    /// - Throws: What `transform` throws.
    public func mapError<NewFailure: Error, Thrown: Error>(
        _ transform: (Failure) throws(Thrown) -> NewFailure
    ) throws(Thrown) -> Loadable<Value, NewFailure> {
        switch self {
        case .idle: .idle
        case .loading(let previous): .loading(previous: previous)
        case .loaded(let value): .loaded(value)
        case .failed(let error): .failed(try transform(error))
        }
    }

    /// Returns the result of `transform` for a loaded value. An idle or failed state is returned as it is.
    ///
    /// While loading, the state stays loading, and the previous value becomes the value of the result, if that has one.
    ///
    /// ```swift
    /// let order = basket.flatMap { $0.isEmpty ? .failed(.nothingToOrder) : .loaded(Order($0)) }
    /// ```
    ///
    /// - Parameter transform: Makes a `Loadable` of the value.
    /// - Returns: The transformed `Loadable`.
    /// - Throws: What `transform` throws.
    public func flatMap<NewValue, Thrown: Error>(
        _ transform: (Value) throws(Thrown) -> Loadable<NewValue, Failure>
    ) throws(Thrown) -> Loadable<NewValue, Failure> {
        switch self {
        case .idle: .idle
        case .loading(let previous?): .loading(previous: try transform(previous).value)
        case .loading(nil): .loading()
        case .loaded(let value): try transform(value)
        case .failed(let error): .failed(error)
        }
    }
}
