import Dispatch
import Moonlight
import Synchronization

/// What is to be stopped before the program ends, in whatever way, once there is something.
final class Running: Sendable {
    private enum State {
        case idle
        case running(Store<Downloads, DownloadsEvent>)
        case ended
    }

    private let state = Mutex(State.idle)
    private let work = DispatchGroup()

    /// Makes a store, unless all is over already.
    ///
    /// - Parameter make: Given the group of all work on files.
    func begin(_ make: (DispatchGroup) -> Store<Downloads, DownloadsEvent>) -> Store<Downloads, DownloadsEvent>? {
        // Who ends the program meanwhile waits for the store, and then cancels it.
        state.withLock { state in
            if case .ended = state { return nil }
            let store = make(work)
            state = .running(store)
            return store
        }
    }

    /// Cancels everything. Files that are not whole are on their way out when this returns.
    func end() {
        let before = state.withLock { state in
            defer { state = .ended }
            return state
        }
        if case .running(let store) = before { store.cancel() }
        _ = work.wait(timeout: .now() + .seconds(5))
    }
}
