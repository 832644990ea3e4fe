import Dispatch
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

    /// Waits until it is up. Under `.ci/mutate`, what would hang for ever ends the tests after some seconds.
    package func wait(file: StaticString = #fileID, line: UInt = #line) async {
        if let patience = environmentNumber("LATCH_PATIENCE") {
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(patience)) { [self] in
                precondition(state.withLock { $0.isUp }, "The flag was never raised.", file: file, line: line)
            }
        }
        await withCheckedContinuation { waiter in
            let isUp = state.withLock { state in
                if !state.isUp { state.waiters.append(waiter) }
                return state.isUp
            }
            if isUp { waiter.resume() }
        }
    }
}
