import Streams

/// Down at first; once raised, every task that waits goes on.
package final class Flag: Sendable {
    private let state = Lock((isUp: false, waiters: [CheckedContinuation<Void, Never>]()))

    package init() {}

    package func raise() {
        let waiters = state.withLock { state in
            state.isUp = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    package func wait() async {
        await withCheckedContinuation { waiter in
            let isUp = state.withLock { state in
                if !state.isUp { state.waiters.append(waiter) }
                return state.isUp
            }
            if isUp { waiter.resume() }
        }
    }
}
