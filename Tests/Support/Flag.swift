import Dispatch
import Streams

/// A flag that is lowered at first. Raising it resumes every waiting task.
package final class Flag: Sendable {
    private struct State {
        var isUp = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    package init() {}

    package func raise() {
        let waiters = state.withLock { state in
            state.isUp = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the flag is raised. A wait without end fails the tests.
    package func wait(file: StaticString = #filePath, line: UInt = #line) async {
        await withCheckedContinuation { waiter in
            let isUp = state.withLock { state in
                if !state.isUp { state.waiters.append(waiter) }
                return state.isUp
            }
            if isUp { waiter.resume() } else { watch(Patience(), SourceLine(path: file, line: line)) }
        }
    }

    private func watch(_ patience: Patience, _ place: SourceLine) {
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [self] in
            if state.withLock({ $0.isUp }) { return }
            var patience = patience
            precondition(!patience.isOver(), "A flag was never raised. \(place)", file: place.path, line: place.line)
            watch(patience, place)
        }
    }
}
