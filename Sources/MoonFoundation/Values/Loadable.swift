/// A value that is fetched: not asked for yet, on its way, there, or failed.
///
/// One field in place of a value, an error and a flag, which can contradict each other.
/// ```swift
/// struct State: Equatable {
///     var weather = Loadable<Weather, WeatherError>.idle
/// }
///
/// case .requested: state.weather.startLoading()
/// case .answered(let result): state.weather.finish(with: result)
/// ```
/// The idea is the Elm community's RemoteData; that a reload keeps the last value is ours.
public enum Loadable<Value, Failure: Error> {
    /// Nobody has asked for it.
    case idle
    /// It is on its way; `previous` is the value from last time, for a screen to go on showing.
    case loading(previous: Value? = nil)
    /// It is there.
    case loaded(Value)
    /// It could not be had.
    case failed(Failure)

    /// What a finished attempt gave.
    public init(_ result: Result<Value, Failure>) {
        switch result {
        case .success(let value): self = .loaded(value)
        case .failure(let error): self = .failed(error)
        }
    }

    /// The value if there is one to show: the loaded one, or while loading the previous.
    public var value: Value? {
        switch self {
        case .loaded(let value): value
        case .loading(let previous): previous
        case .idle, .failed: nil
        }
    }

    /// The error of an attempt that failed.
    public var error: Failure? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// Whether the value is on its way.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    /// What a finished attempt gave; nil while there is none.
    public var result: Result<Value, Failure>? {
        switch self {
        case .loaded(let value): .success(value)
        case .failed(let error): .failure(error)
        case .idle, .loading: nil
        }
    }

    /// Starts an attempt; the value that is there is kept as the previous one.
    public mutating func startLoading() {
        self = .loading(previous: value)
    }

    /// Ends an attempt with what it gave.
    public mutating func finish(with result: Result<Value, Failure>) {
        self = Self(result)
    }

    /// Ends an attempt that was given up: back to the previous value, or to idle. Does nothing if none is under way.
    public mutating func cancelLoading() {
        guard case .loading(let previous) = self else { return }
        self = previous.map(Self.loaded) ?? .idle
    }
}

extension Loadable: Equatable where Value: Equatable, Failure: Equatable {}
extension Loadable: Hashable where Value: Hashable, Failure: Hashable {}
extension Loadable: Sendable where Value: Sendable {}
extension Loadable: Encodable where Value: Encodable, Failure: Encodable {}
extension Loadable: Decodable where Value: Decodable, Failure: Decodable {}
