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

/// The time that a handover job works before it lets others run: one millisecond. It reads the clock as rarely as possible.
@usableFromInline package struct TimeSlice {
    #if SCHEDULES
        private var left = 2

        @usableFromInline package init() {}

        /// Counts one piece of work; returns whether it was the last of this slice, which has two.
        @usableFromInline package mutating func isOver() -> Bool {
            left -= 1
            return left == 0
        }
    #else
        private let end: UInt64
        private var last: UInt64
        /// The number of pieces of work between two readings of the clock, and how many of them are left until the next reading.
        private var (stride, left) = (1, 1)

        @usableFromInline package init() { self.init(now: DispatchTime.now().uptimeNanoseconds) }

        init(now: UInt64) { (last, end) = (now, now + Self.length) }

        /// The length of a slice, in nanoseconds.
        static var length: UInt64 { 1_000_000 }

        /// Counts one piece of work; returns whether the slice is over.
        @usableFromInline package mutating func isOver() -> Bool { isOver(at: DispatchTime.now().uptimeNanoseconds) }

        /// Counts one piece of work; returns whether the slice is over.
        ///
        /// - Parameter now: The time in nanoseconds, evaluated only when the clock is read. At a steady pace that is at least
        ///   once in a sixteenth of the slice.
        mutating func isOver(at now: @autoclosure () -> UInt64) -> Bool {
            left -= 1
            guard left == 0 else { return false }
            let now = now()
            stride = now - last < Self.length / 32 ? min(stride * 2, 64) : max(stride / 2, 1)
            (last, left) = (now, stride)
            return now >= end
        }
    #endif
}
