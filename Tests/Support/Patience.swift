import Foundation

/// Tells that what a test waits for will not come any more. That the process has done next to nothing for long is one sign: however
/// busy the machine is and however long others compute, that does not end a wait. That it has computed for far too long is the other:
/// something goes round and round.
struct Patience {
    /// How many seconds of doing nothing are too long. `.ci/mutate` sets fewer, so that a test that would hang says where.
    private static let limit = environmentNumber("LATCH_PATIENCE") ?? 600
    static let isShort = limit < 600
    /// How many seconds of CPU time during one wait are too long: more than all tests together take. `.ci/mutate` sets fewer.
    private static let computing = environmentNumber("CPU_PATIENCE") ?? 7_200

    private var idle = 0
    private let begin = clock()
    private var used = clock()

    /// Whether it is over; asked each second.
    mutating func isOver() -> Bool {
        let before = used
        used = clock()
        // In microseconds.
        idle = used - before < 50_000 ? idle + 1 : 0
        return idle >= Self.limit || used - begin > Self.computing * 1_000_000
    }
}
