import Streams

/// The opening of a fleet's storage, which begins when the fleet is made, and which all that need the storage wait for.
final class FleetOpening: Sendable {
    private let task = Lock<Task<Void, any Error>?>(nil)
    private let closing: @Sendable () async -> Void

    /// - Parameter close: Closes the storage; called once, and only if it was opened.
    init(close: @escaping @Sendable () async -> Void = {}) { closing = close }

    /// Begins to open. Called once, before anybody waits.
    func begin(_ open: @escaping @Sendable () async throws -> Void) {
        let opening = Task.detached(executorPreference: LogExecutor(named: "fleet")) { try await open() }
        task.withLock { $0 = opening }
    }

    func opened() async throws(FleetError) {
        if case .failure(let error) = await task.withLock({ $0 })?.result { throw .unopened(DurabilityError(wrapping: error)) }
    }

    func close() async {
        if case .failure = await task.withLock({ $0 })?.result { return }
        await closing()
    }
}
