import Dispatch

/// Says once on the standard error that the main actor does not run what others send there.
///
/// Closures in `main.swift` are formed on the main actor. While the main thread is inside a call that blocks, `readLine()` for one, the
/// main actor runs nothing, and what other threads send there waits without a word.
///
/// Whoever puts something into the main actor's line has it looked at two seconds later, and again after one more: a process that was
/// stopped, by a debugger or by Ctrl-Z, needs a moment when it goes on. If the main actor has begun nothing by then, that is told.
/// There is one look at a time: a value that joins others in a mailbox costs nothing, and a job for the main actor takes a lock.
package final class MainActorWatch: Sendable {
    /// A test has one of its own.
    @TaskLocal package static var current = MainActorWatch(
        later: { seconds, look in DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: look) },
        tell: { printWarning($0) })

    private let patience = Lock(Patience())
    private let later: @Sendable (_ seconds: Int, _ look: @escaping @Sendable () -> Void) -> Void
    private let tell: @Sendable (String) -> Void

    package init(
        later: @escaping @Sendable (_ seconds: Int, _ look: @escaping @Sendable () -> Void) -> Void,
        tell: @escaping @Sendable (String) -> Void
    ) { (self.later, self.tell) = (later, tell) }

    /// Something has been put into the main actor's line.
    package func sent() { if patience.withLock({ $0.sent() }) { lookLater(2) } }

    /// It has its turn.
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
                    + "that blocks, hold the main thread? Then a sink that was formed there hears of nothing. Await lines and keys instead: "
                    + "the page \"In a terminal\" says how.")
        }
    }

    /// What is known of the main actor: a plain value that decides.
    private struct Patience {
        enum Finding { case nothingWaits, turns, mayStand, stands }

        private var waiting = 0
        private var turns = 0
        private var isWatched = false
        /// How many turns there had been at the last look, and how many looks have found no more.
        private var (seen, inVain) = (0, 0)

        /// - Returns: Whether a look is to be taken.
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
            // Watched it stays, so that this is said once.
            return inVain == 1 ? .mayStand : .stands
        }
    }
}
