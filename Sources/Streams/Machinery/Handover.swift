import Dispatch

/// Runs work that belongs to no sender, on a system queue whose threads have neither task-locals nor a current task.
@usableFromInline package enum Handover {
    /// Runs a closure soon, on a thread that belongs to no sender.
    ///
    /// It uses a dispatch queue and not Swift's task pool: the pool has only as many threads as there are cores, and programs
    /// block them.
    ///
    /// - Parameter work: The closure. It need not be `Sendable`: from this call on, only the closure uses its captured values.
    @usableFromInline package static func run(_ work: @escaping () -> Void) {
        let transfer = UncheckedTransfer(work)
        #if DEBUG || SCHEDULES || TESTING
            underway.enter()
            let work = { @Sendable in
                transfer.value()
                underway.leave()
            }
        #else
            let work = { @Sendable in transfer.value() }
        #endif
        #if SCHEDULES
            if let director = SwitchPoint.director, director.start(work) { return }
        #endif
        #if canImport(Darwin)
            // Detached, as the block would otherwise inherit the priority of the thread that hands over.
            DispatchQueue.global().async(flags: .detached, execute: work)
        #else
            DispatchQueue.global().async(execute: work)
        #endif
    }

    #if DEBUG || SCHEDULES || TESTING
        private static let underway = DispatchGroup()

        /// Waits until all handed-over work of the process has ended. Only in builds that are tested.
        package static func waitForAll() { underway.wait() }
    #endif
}
