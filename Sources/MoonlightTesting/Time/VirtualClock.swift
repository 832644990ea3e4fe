import Streams

/// A clock that goes with a `VirtualTimeScheduler`: who sleeps on it wakes when that moves its time on.
///
/// ```swift
/// let time = VirtualTimeScheduler()
/// let clock = VirtualClock(time)
/// let environment = Environment(clock: clock)   // var clock: any Clock<Duration>
/// ```
/// Cancelled, a sleep throws `CancellationError` at once, and leaves nothing behind.
public struct VirtualClock: Clock, Sendable {
    /// A point in virtual time.
    public struct Instant: InstantProtocol, Sendable {
        /// The point in the scheduler's time.
        public let point: TimePoint

        /// A point in virtual time.
        public init(_ point: TimePoint) { self.point = point }

        /// The point after a span.
        public func advanced(by duration: Duration) -> Instant { Instant(point.advanced(by: TimeStride(duration))) }
        /// The span to another point.
        public func duration(to other: Instant) -> Duration { point.distance(to: other.point).duration }
        /// Whether one point comes before another.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.point < rhs.point }
    }

    private let scheduler: VirtualTimeScheduler

    /// The clock of a scheduler's time.
    public init(_ scheduler: VirtualTimeScheduler) { self.scheduler = scheduler }

    /// The present.
    public var now: Instant { Instant(scheduler.now) }
    /// A nanosecond: virtual time counts in these.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Sleeps until a point in time. It never wakes late: the tolerance has no use.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
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

/// One sleep: woken once, by its time or by cancellation, whichever comes first.
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
