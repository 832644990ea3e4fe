/// The state of a value that is fetched: not requested, loading, loaded or failed.
///
/// It is a single field in place of a value, an error and a flag, which could contradict each other.
///
/// ```swift
/// struct State: Equatable {
///     var weather = Loadable<Weather, WeatherError>.idle
/// }
///
/// case .requested: state.weather.startLoading()
/// case .answered(let result): state.weather.finish(with: result)
/// ```
///
/// The idea is RemoteData, from the Elm community; the previous value during a reload is an addition.
public enum Loadable<Value, Failure: Error> {
    /// The value has not been requested.
    case idle
    /// The value is being fetched. `previous` is the last value, which a screen may continue to show.
    case loading(previous: Value? = nil)
    /// The value was fetched.
    case loaded(Value)
    /// The value could not be fetched.
    case failed(Failure)

    /// The value to show: the loaded one or, while loading, the previous one; nil if there is none.
    public var value: Value? {
        switch self {
        case .loaded(let value): value
        case .loading(let previous): previous
        case .idle, .failed: nil
        }
    }

    /// The error of a failed attempt; nil in any other state.
    public var error: Failure? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// True while the value is being fetched.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    /// Starts an attempt. The current value is kept as the previous one.
    public mutating func startLoading() {
        self = .loading(previous: value)
    }

    /// Finishes an attempt.
    ///
    /// - Parameter result: The result of the attempt.
    public mutating func finish(with result: Result<Value, Failure>) {
        switch result {
        case .success(let value): self = .loaded(value)
        case .failure(let error): self = .failed(error)
        }
    }
}

extension Loadable: Equatable where Value: Equatable, Failure: Equatable {}
extension Loadable: Hashable where Value: Hashable, Failure: Hashable {}
extension Loadable: Sendable where Value: Sendable {}
extension Loadable: Encodable where Value: Encodable, Failure: Encodable {}
extension Loadable: Decodable where Value: Decodable, Failure: Decodable {}

extension Loadable {
    /// Returns the same state with the loaded or previous value transformed.
    ///
    /// - Parameter transform: Transforms the value.
    /// - Returns: The transformed `Loadable`.
    /// - Throws: The error of `transform`.
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
}
