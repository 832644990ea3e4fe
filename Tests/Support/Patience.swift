import Foundation

/// Tells that what a test waits for will not come any more: the process has done next to nothing for long. However busy the machine
/// is and however long others compute, that does not end a wait.
struct Patience {
    /// How many seconds are too long. `.ci/mutate` sets fewer, so that a test that would hang says where.
    private static let limit = environmentNumber("LATCH_PATIENCE") ?? 600
    static let isShort = limit < 600

    private var idle = 0
    private var used = clock()

    /// Whether it is over; asked each second.
    mutating func isOver() -> Bool {
        let before = used
        used = clock()
        // In microseconds.
        idle = used - before < 50_000 ? idle + 1 : 0
        return idle >= Self.limit
    }
}
