import Streams

/// A clock that the test advances.
package final class ManualClock: Clock, Sendable {
    package struct Instant: InstantProtocol {
        package var offset: Duration

        package init(offset: Duration) { self.offset = offset }

        package func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        package func duration(to other: Self) -> Duration { other.offset - offset }
        package static func < (lhs: Self, rhs: Self) -> Bool { lhs.offset < rhs.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var made = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var tolerances: [Duration?] = []
        var waiting: [(count: Int, isReached: Flag)] = []
    }
    private let state = Lock(State())

    package init() {}

    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .nanoseconds(1) }
    /// The tolerances that sleeping tasks have requested.
    package var tolerances: [Duration?] { state.withLock { $0.tolerances } }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.made += 1
            state.tolerances.append(tolerance)
            return state.made
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if deadline <= state.now || Task.isCancelled { return true }
                    state.sleepers[number] = (deadline, continuation)
                    return false
                }
                if isOver { continuation.resume() }
                tellWaiting()
            }
            try Task.checkCancellation()
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
            tellWaiting()
        }
    }

    /// Waits until exactly this number of tasks sleep. If there were more before the call, the wait fails.
    package func sleepers(_ count: Int, file: StaticString = #filePath, line: UInt = #line) async {
        let isReached = Flag()
        state.withLock { $0.waiting.append((count, isReached)) }
        tellWaiting()
        await isReached.wait(file: file, line: line)
    }

    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let (now, sleepers) = (state.now, state.sleepers)
            state.sleepers = sleepers.filter { $0.value.deadline > now }
            return sleepers.values.filter { $0.deadline <= now }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    private func tellWaiting() {
        let due = state.withLock { state in
            let count = state.sleepers.count
            defer { state.waiting.removeAll { $0.count == count } }
            return state.waiting.filter { $0.count == count }
        }
        for waiting in due { waiting.isReached.raise() }
    }
}
