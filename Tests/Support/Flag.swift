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

    /// Waits until it is up. Under `.ci/mutate`, what would hang for ever ends the tests.
    package func wait(file: StaticString = #fileID, line: UInt = #line) async {
        if Patience.isShort { watch(Patience(), file, line) }
        await withCheckedContinuation { waiter in
            let isUp = state.withLock { state in
                if !state.isUp { state.waiters.append(waiter) }
                return state.isUp
            }
            if isUp { waiter.resume() }
        }
    }

    private func watch(_ patience: Patience, _ file: StaticString, _ line: UInt) {
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [self] in
            if state.withLock({ $0.isUp }) { return }
            var patience = patience
            precondition(!patience.isOver(), "The flag was never raised.", file: file, line: line)
            watch(patience, file, line)
        }
    }
}
