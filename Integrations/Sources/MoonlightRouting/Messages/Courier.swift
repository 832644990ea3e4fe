/// Carries requests from one process to another, and answers back.
public protocol Courier: Sendable {
    /// Begins to answer requests to a name.
    ///
    /// - Parameters:
    ///   - name: The name, of which this process has its own.
    ///   - answer: Answers a request. Called for many at once.
    /// - Returns: What ends it when it is released, or by its `end()`.
    func listen(as name: String, _ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]) async throws -> any Listening

    /// Sends a request, and waits for the answer.
    ///
    /// - Parameters:
    ///   - name: Who is asked.
    ///   - request: The request.
    ///   - time: How long to wait.
    func ask(_ name: String, _ request: [UInt8], within time: Duration) async -> CourierAnswer
}

/// Requests that are being answered.
public protocol Listening: Sendable {
    /// Answers no more requests.
    func end()
}

/// The result of a request.
public enum CourierAnswer: Sendable, Hashable {
    /// The answer.
    case answered([UInt8])
    /// Nobody has received the request.
    case unreached
    /// No answer has come in time; the request may have been received.
    case unanswered
}
