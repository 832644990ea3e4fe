import Streams

/// A clock that follows the time of a `VirtualTimeScheduler`: a sleep ends when the scheduler's time reaches its deadline.
///
/// A cancelled sleep throws `CancellationError` at once and leaves no timer behind. Safe from any thread.
package struct VirtualClock: Clock, Sendable {
    /// A point in the virtual time of a clock.
    package struct Instant: InstantProtocol, Sendable {
        /// The point in the time of the scheduler.
        package let point: TimePoint

        /// Creates an instant from a point in the scheduler's time.
        package init(_ point: TimePoint) { self.point = point }

        /// Returns the instant after a duration.
        package func advanced(by duration: Duration) -> Instant { Instant(point.advanced(by: TimeStride(duration))) }
        /// Returns the duration from this instant to another.
        package func duration(to other: Instant) -> Duration { point.distance(to: other.point).duration }
        /// Returns whether one instant is before another.
        package static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.point < rhs.point }
    }

    private let scheduler: VirtualTimeScheduler

    /// Creates a clock that follows a scheduler's time.
    package init(_ scheduler: VirtualTimeScheduler) { self.scheduler = scheduler }

    /// The present, in the scheduler's time.
    package var now: Instant { Instant(scheduler.now) }
    /// A nanosecond, the unit of virtual time.
    package var minimumResolution: Duration { .nanoseconds(1) }

    /// Sleeps until a deadline. If the deadline is now or has passed, the sleep ends at the next advance of the scheduler,
    /// even by zero, like a closure that is scheduled for that time.
    ///
    /// - Parameters:
    ///   - deadline: The instant to sleep until.
    ///   - tolerance: Ignored: virtual time is never late.
    /// - Throws: `CancellationError` if the task is cancelled.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                sleeper.sleep(continuation) { wake in
                    scheduler.schedule(once: deadline.point, tolerance: nil, options: nil, wake)
                }
            }
        } onCancel: {
            sleeper.cancel()
        }
    }
}

extension VirtualTimeScheduler {
    /// A clock that follows the time of this scheduler: a sleep ends when the scheduler's time reaches its deadline.
    ///
    /// ```swift
    /// let time = VirtualTimeScheduler()
    /// let environment = Environment(clock: time.clock)   // var clock: any Clock<Duration>
    /// ```
    /// A cancelled sleep throws `CancellationError` at once and leaves no timer behind. Safe from any thread.
    public var clock: some Clock<Duration> { VirtualClock(self) }
}

/// One sleep, which is resumed once: at its deadline or on cancellation, whichever is first.
private final class Sleeper: Sendable {
    private typealias Continuation = UnsafeContinuation<Void, any Error>
    private struct State: Sendable {
        var continuation: Continuation?
        var timer: AnyCancellable?
        var isCancelled = false
    }

    private let state = Lock(State())

    func sleep(
        _ continuation: UnsafeContinuation<Void, any Error>,
        _ schedule: (@escaping @Sendable () -> Void) -> AnyCancellable?
    ) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.continuation = continuation }
            return state.isCancelled
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        let timer = schedule { [weak self] in self?.wake() }
        let isLate = state.withLock { state in
            if state.continuation != nil { state.timer = timer }
            return state.continuation == nil
        }
        if isLate { timer?.cancel() }
    }

    private func wake() {
        let (continuation, timer) = state.withLock { state in (state.continuation.take(), state.timer.take()) }
        discard(timer)
        continuation?.resume()
    }

    func cancel() {
        let (continuation, timer) = state.withLock { state in
            state.isCancelled = true
            return (state.continuation.take(), state.timer.take())
        }
        timer?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}

/// An executor that runs the tasks of a plan on the plan's thread, one job after the other, at the current virtual time.
package final class ManualExecutor: StepwiseExecutor, @unchecked Sendable {
    // Sound: the queue is behind its lock; the scheduler guards itself.
    private let scheduler: VirtualTimeScheduler?
    private let jobs = Lock<(waiting: [(UnownedJob, any TaskExecutor)], isScheduled: Bool)>(([], false))

    /// Creates an executor.
    ///
    /// - Parameter scheduler: Runs the jobs when its time is advanced; nil if the owner calls ``drain()``.
    package init(_ scheduler: VirtualTimeScheduler? = nil) { self.scheduler = scheduler }

    package func enqueue(_ job: UnownedJob, on executor: any TaskExecutor) {
        let isFirst = jobs.withLock { jobs in
            jobs.waiting.append((job, executor))
            defer { jobs.isScheduled = true }
            return !jobs.isScheduled
        }
        if isFirst { scheduler?.schedule { [weak self] in self?.drain() } }
    }

    /// Runs the waiting jobs, and those that they enqueue, until none waits.
    package func drain() {
        while true {
            let batch = jobs.withLock { jobs in
                defer { (jobs.waiting, jobs.isScheduled) = ([], !jobs.waiting.isEmpty) }
                return jobs.waiting
            }
            if batch.isEmpty { return }
            for (job, executor) in batch { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
        }
    }
}
