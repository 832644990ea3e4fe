import Dispatch

/// Where work goes on that is nobody's: a queue of the system's whose threads have neither task-locals nor a task.
@usableFromInline package enum Handover {
    /// Runs something soon, on a thread that belongs to no sender.
    ///
    /// A dispatch queue, not the pool of Swift's tasks: that one has as many threads as there are cores, and programs block them.
    ///
    /// - Parameter work: All that it touches is the heir's from now on.
    @usableFromInline package static func run(_ work: @escaping () -> Void) {
        let transfer = UncheckedTransfer(work)
        underway.enter()
        let work = { @Sendable in
            transfer.value()
            underway.leave()
        }
        #if SCHEDULES
            if let director = SwitchPoint.director, director.start(work) { return }
        #endif
        #if canImport(Darwin)
            // Detached: else the block has the priority of who hands over.
            DispatchQueue.global().async(flags: .detached, execute: work)
        #else
            DispatchQueue.global().async(execute: work)
        #endif
    }

    private static let underway = DispatchGroup()

    /// Waits until all that has been handed over is done, for tests. What goes on somewhere else in the process is waited for, too.
    package static func waitForAll() { underway.wait() }

    /// Holds up a thread that makes more than an heir has yet handled: for as long as that is so, but half a millisecond at most.
    @usableFromInline package static func holdUp(while isFull: () -> Bool) {
        // In two steps only: on a busy machine each costs a turn of the system's scheduler.
        for time in [50, 400] where isFull() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(time)) }
    }
}
