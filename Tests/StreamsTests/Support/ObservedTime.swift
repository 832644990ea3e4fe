import Streams

/// Virtual time that calls a closure each time it is read.
final class ObservedTime: Scheduler {
    typealias SchedulerOptions = Never
    let onLook = Lock<(@Sendable () -> Void)?>(nil)
    private let time: VirtualTimeScheduler

    init(_ time: VirtualTimeScheduler) { self.time = time }

    var now: TimePoint {
        onLook.withLock { $0 }?()
        return time.now
    }
    var minimumTolerance: TimeStride { 0 }
    func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { time.schedule(action) }
    func schedule(after date: TimePoint, tolerance: TimeStride, options: Never?, _ action: @escaping @Sendable () -> Void) {
        time.schedule(after: date, action)
    }
    func schedule(
        after date: TimePoint, interval: TimeStride, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { time.schedule(after: date, interval: interval, action) }
}
