import Dispatch

/// Warns once, on standard error, if the main actor does not run the work that other threads send to it.
///
/// Closures in `main.swift` are formed on the main actor. While the main thread is inside a call that blocks, such as
/// `readLine()`, the main actor runs nothing, and work for it waits silently.
///
/// When a job is enqueued on the main actor, a check is scheduled for two seconds later. If no job has begun by then, a second
/// check follows after one more second, because a process that was stopped, by a debugger or by Ctrl-Z, needs a moment to resume.
/// If still no job has begun, the watch warns. Only one check is scheduled at a time. So a value that joins others in a mailbox
/// costs nothing, and a job for the main actor costs a lock.
package final class MainActorWatch: Sendable {
    /// The watch in use. A test binds its own.
    @TaskLocal package static var current = MainActorWatch(
        later: { seconds, look in DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: look) },
        tell: { printWarning($0) })

    private let patience = Lock(Patience())
    private let later: @Sendable (_ seconds: Int, _ look: @escaping @Sendable () -> Void) -> Void
    private let tell: @Sendable (String) -> Void

    package init(
        later: @escaping @Sendable (_ seconds: Int, _ look: @escaping @Sendable () -> Void) -> Void,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.later = later
        self.tell = tell
    }

    /// Records that a job was enqueued on the main actor.
    package func sent() { if patience.withLock({ $0.sent() }) { lookLater(2) } }

    /// Records that a job has begun.
    package func began() { patience.withLock { $0.began() } }

    private func lookLater(_ seconds: Int) { later(seconds) { [self] in look() } }

    private func look() {
        switch patience.withLock({ $0.look() }) {
        case .nothingWaits: break
        case .turns: lookLater(2)
        case .mayStand: lookLater(1)
        case .stands:
            tell(
                "Moonlight: values for the main actor have waited for three seconds, as it runs nothing. Does readLine(), or another call "
                    + "that blocks, hold the main thread? Sinks that were formed there receive nothing while it does. Await lines and keys instead: "
                    + "the page \"In a terminal\" says how.")
        }
    }

    /// The decisions of the watch, as a plain value.
    private struct Patience {
        /// The result of a check. `nothingWaits`: all jobs have begun. `turns`: jobs have begun since the last check. `mayStand`:
        /// none has. `stands`: none has for the second time.
        enum Finding {
            case nothingWaits
            case turns
            case mayStand
            case stands
        }

        /// The number of jobs that were enqueued and have not begun.
        private var waiting = 0
        /// The number of jobs that have begun.
        private var turns = 0
        /// Whether a check is scheduled, or the warning has been printed.
        private var isWatched = false
        /// The number of turns at the last check, and the number of checks in a row that have found no more.
        private var (seen, inVain) = (0, 0)

        /// Counts a job that was enqueued.
        ///
        /// - Returns: Whether a check must be scheduled.
        mutating func sent() -> Bool {
            waiting += 1
            if isWatched { return false }
            (isWatched, seen, inVain) = (true, turns, 0)
            return true
        }

        mutating func began() {
            waiting -= 1
            turns += 1
        }

        mutating func look() -> Finding {
            if waiting == 0 {
                isWatched = false
                return .nothingWaits
            }
            if turns != seen {
                (seen, inVain) = (turns, 0)
                return .turns
            }
            inVain += 1
            // `isWatched` stays true, so that the warning is printed once.
            return inVain == 1 ? .mayStand : .stands
        }
    }
}
