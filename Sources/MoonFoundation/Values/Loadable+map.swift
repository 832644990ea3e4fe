extension Loadable {
    /// The same with another value: the loaded one and the previous one are transformed.
    ///
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

    /// The same with another error.
    ///
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

    /// Goes on with what `transform` makes of the loaded value.
    ///
    /// What is loading stays loading; its previous value becomes the one that `transform` makes of it, if that has one.
    /// ```swift
    /// let order = basket.flatMap { $0.isEmpty ? .failed(.nothingToOrder) : .loaded(Order($0)) }
    /// ```
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
