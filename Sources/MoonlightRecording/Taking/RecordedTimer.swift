import Streams
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A timer that is recorded: when it is set, when it is due, and whether it is withdrawn before that.
final class RecordedTimer: Sendable {
    /// What set the timer that runs: what it calls, and the timers that it sets, are due to the same.
    @TaskLocal static var cause: Int?

    private let isOver = Atomic<Bool>(false)
    private let cause: Int?
    private let note: @Sendable (WorldEntry.What) -> Void

    /// Creates a timer, which is set.
    ///
    /// - Parameters:
    ///   - cause: The number of the record in the journal that caused it; nil if it came from outside the loop.
    ///   - note: Notes what becomes of it.
    init(cause: Int?, note: @escaping @Sendable (WorldEntry.What) -> Void) {
        self.cause = cause
        self.note = note
    }

    /// Runs what a timer was set for, which is due.
    ///
    /// - Parameter next: When it is due again; nil if it is not.
    func isDue(next: Duration? = nil, _ action: () -> Void = {}) {
        Self.$cause.withValue(cause) {
            if next != nil || !isOver.exchange(true, ordering: .relaxed) { note(.fired) }
            if let next { note(.timer(next)) }
            action()
        }
    }

    /// Notes that the timer is withdrawn, if it is not over.
    func withdraw() { if !isOver.exchange(true, ordering: .relaxed) { note(.withdrawn) } }
}

/// The times that threads have read last.
///
/// Who sets a timer reads the time and adds a span to it. Meanwhile time passes: only from the time that was read the span is the one
/// that was meant, and is the same when the recording is played.
final class ReadTimes<Time: Sendable>: Sendable {
    private struct Reading {
        let thread: UInt
        let time: Time
    }

    private static var most: Int { 16 }

    private let readings = Lock<[Reading]>([])

    /// Returns a time that was read on this thread, and keeps it.
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

    /// The time that this thread has read last; nil if it has read none, or others have since read many.
    var last: Time? {
        let thread = currentThread()
        return readings.withLock { readings in readings.last { $0.thread == thread }?.time }
    }
}
