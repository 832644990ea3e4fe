extension Subscribers {
    /// The end of a run of a publisher: normally, or with an error.
    @frozen public enum Completion<Failure: Error> {
        /// The run ended normally.
        case finished
        /// The run ended with an error.
        case failure(Failure)
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}

extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers.Completion: Sendable {
    /// The error of a failed run; nil if the run finished.
    @inlinable public var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension Subscribers.Completion: Codable where Failure: Codable {
    private enum CodingKeys: String, CodingKey {
        case success
        case error
    }

    /// Encodes `success` and, for a failed run, `error`, as Combine does.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(error == nil, forKey: .success)
        try container.encodeIfPresent(error, forKey: .error)
    }

    /// Decodes what ``encode(to:)`` encodes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isSuccess = try container.decode(Bool.self, forKey: .success)
        self = isSuccess ? .finished : .failure(try container.decode(Failure.self, forKey: .error))
    }
}
