/// A transport of requests and answers between processes.
public protocol Courier: Sendable {
    /// Starts to answer requests to a name.
    ///
    /// - Parameters:
    ///   - name: The unique name of this process.
    ///   - answer: Answers a request. Called concurrently.
    /// - Returns: An object that stops answering when it is released, or by its `end()`.
    func listen(as name: String, _ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]) async throws -> any Listening

    /// Sends a request, and waits for the answer; at once ``CourierAnswer/unanswered`` if the task is cancelled.
    ///
    /// - Parameters:
    ///   - name: The name of the receiver.
    ///   - request: The request.
    ///   - time: The time to wait.
    func ask(_ name: String, _ request: [UInt8], within time: Duration) async -> CourierAnswer
}

/// A registration for requests; see ``Courier``.
public protocol Listening: Sendable {
    /// Stops answering requests.
    func end()
}

/// The result of a request.
public enum CourierAnswer: Sendable, Hashable {
    /// The answer.
    case answered([UInt8])
    /// The request was not received.
    case unreached
    /// The request can never be sent; the value is the reason, such as its size.
    case invalid(String)
    /// The request was received, but its answer can never be sent; the value is the reason, such as its size.
    case unanswerable(String)
    /// No answer arrived in time, or the task was cancelled. The request may have been received.
    case unanswered
}
