import Streams

/// A thread-safe list, whose growth tasks can await.
final class Noted<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var values: [Value] = []
        var waiters: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    func append(_ value: Value) {
        let woken = state.withLock { state in
            state.values.append(value)
            let count = state.values.count
            defer { state.waiters.removeAll { $0.count <= count } }
            return state.waiters.filter { $0.count <= count }
        }
        for entry in woken { entry.waiter.resume() }
    }

    var all: [Value] { state.withLock { $0.values } }
    var count: Int { all.count }
    var last: Value? { all.last }

    /// Waits until the list has this number of values.
    func count(_ count: Int) async {
        await withCheckedContinuation { waiter in
            let isThere = state.withLock { state in
                if state.values.count < count { state.waiters.append((count, waiter)) }
                return state.values.count >= count
            }
            if isThere { waiter.resume() }
        }
    }
}
