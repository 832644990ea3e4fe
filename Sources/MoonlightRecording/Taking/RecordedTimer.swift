import Streams
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A recorded timer: the times at which it is set, and at which it is due or withdrawn.
final class RecordedTimer: Sendable {
    /// The cause of the running timer, which its calls and the timers that it sets share.
    @TaskLocal static var cause: Int?

    private let isOver = Atomic<Bool>(false)
    private let cause: Int?
    private let note: @Sendable (WorldEntry.What) -> Void

    /// Creates a timer that is set.
    ///
    /// - Parameters:
    ///   - cause: The number of the record in the journal that caused it; nil if it came from outside the loop.
    ///   - note: Records its later steps.
    init(cause: Int?, note: @escaping @Sendable (WorldEntry.What) -> Void) {
        self.cause = cause
        self.note = note
    }

    /// Runs the closure of a timer that is due.
    ///
    /// - Parameter next: The duration until it is due again; nil if it is not.
    func isDue(next: Duration? = nil, _ action: () -> Void = {}) {
        Self.$cause.withValue(cause) {
            if next != nil || !isOver.exchange(true, ordering: .relaxed) { note(.fired) }
            if let next { note(.timer(next)) }
            action()
        }
    }

    /// Records that the timer is withdrawn, unless it has fired.
    func withdraw() { if !isOver.exchange(true, ordering: .relaxed) { note(.withdrawn) } }
}

/// The times that threads have read last.
///
/// Code that sets a timer reads the time and adds a duration to it. Computed from that reading, the duration is exactly the
/// intended one, and the same in a replay.
final class ReadTimes<Time: Sendable>: Sendable {
    private struct Reading {
        let thread: UInt
        let time: Time
    }

    private static var most: Int { 16 }

    private let readings = Lock<[Reading]>([])

    /// Stores and returns a time that was read on this thread.
    func keeping(_ time: Time) -> Time {
        let reading = Reading(thread: currentThread(), time: time)
        let gone = readings.withLock { readings -> Reading? in
            let place = readings.firstIndex { $0.thread == reading.thread } ?? (readings.count < Self.most ? nil : 0)
            defer { readings.append(reading) }
            return place.map { readings.remove(at: $0) }
        }
        discard(gone)
        return time
    }

    /// The last time that this thread has read; nil if it has read none, or if many other threads have read since.
    var last: Time? {
        let thread = currentThread()
        return readings.withLock { readings in readings.last { $0.thread == thread }?.time }
    }
}
