import StreamLimits
import Streams
import Testing

/// No lock is held while user code runs: here, that of a scheduler and its points in time.
extension Schedules {
    @Suite("No lock is held while user code runs: limits") struct LimitLockScenes {
        @Test("A limiter uses its clock, its points in time and its timers without holding a lock")
        func limiter() {
            OperatorLockScenes.expectNone("RateLimiter") { watch in
                let clock = ProbedScheduler(watch)
                let limiter = RateLimiter(count: 2, per: 5, on: clock)
                let takers = (0..<6).map { _ in ProbeTaker(.unlimited, watch) }
                for taker in takers {
                    Just(watch.probe(1)).setFailureType(to: ProbeError.self)
                        .limited(by: limiter, waiting: 3) { _ in watch.error(2) }.subscribe(taker)
                }
                takers[3].cancel()
                for _ in 0..<3 { clock.advance(5) }
                for taker in takers { taker.cancel() }
            }
        }

        @Test("A released limiter and its cancelled subscriptions are released without holding a lock")
        func abandoned() {
            OperatorLockScenes.expectNone("RateLimiter") { watch in
                let clock = ProbedScheduler(watch)
                let takers = (0..<3).map { _ in ProbeTaker(.unlimited, watch) }
                do {
                    let limiter = RateLimiter(count: 1, per: 5, on: clock)
                    for taker in takers {
                        Just(watch.probe(1)).setFailureType(to: ProbeError.self).limited(by: limiter).subscribe(taker)
                    }
                }
                for taker in takers { taker.cancel() }
                clock.advance(5)
            }
        }

        @Test("A breaker uses its clock and its points in time without holding a lock")
        func breaker() {
            OperatorLockScenes.expectNone("CircuitBreaker") { watch in
                let clock = ProbedScheduler(watch)
                let breaker = CircuitBreaker(failures: 1, resetAfter: 5, on: clock)
                let held = watch.probe(50)
                let states = breaker.states.sink { _ in held.pass(()) }
                for step in [0, 3, 2, 5, 0] {
                    clock.advance(step)
                    let service = Fail<Probe, ProbeError>(error: watch.error(1)).protected(by: breaker) { error in
                        ProbeError(probe: held.pass(watch.probe("\(error)".count)))
                    }
                    service.subscribe(ProbeTaker(.unlimited, watch))
                }
                clock.advance(5)
                let taker = ProbeTaker(.unlimited, watch)
                Just(watch.probe(1)).setFailureType(to: ProbeError.self)
                    .append(Empty(completeImmediately: false)).protected(by: breaker) { _ in watch.error(2) }.subscribe(taker)
                taker.cancel()
                states.cancel()
            }
        }
    }
}

/// A point in time, all methods of which count as user code.
private struct ProbedTime: Strideable, Sendable, CustomStringConvertible {
    let probe: Probe

    func distance(to other: Self) -> VirtualTimeScheduler.SchedulerTimeType.Stride {
        .nanoseconds(other.probe.number - probe.number)
    }

    func advanced(by n: VirtualTimeScheduler.SchedulerTimeType.Stride) -> Self { Self(probe: probe.plus(n.nanoseconds)) }
    static func < (one: Self, other: Self) -> Bool { one.probe < other.probe }
    static func == (one: Self, other: Self) -> Bool { one.probe == other.probe }
    var description: String { probe.description }
}

/// A scheduler of the user. It runs due actions when its time is set.
private final class ProbedScheduler: Scheduler, @unchecked Sendable {
    // Sound: used by one thread.
    typealias SchedulerOptions = Never
    typealias Stride = ProbedTime.Stride
    private let watch: LockWatch
    private var number = 0
    private var waiting: [(date: Int, action: @Sendable () -> Void)] = []

    init(_ watch: LockWatch) { self.watch = watch }

    var now: ProbedTime {
        watch.look("now")
        return ProbedTime(probe: watch.probe(number))
    }

    var minimumTolerance: Stride { 0 }

    func advance(_ span: Int) {
        number += span
        while let place = waiting.firstIndex(where: { $0.date <= number }) { waiting.remove(at: place).action() }
    }

    func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

    func schedule(after date: ProbedTime, tolerance: Stride, options: Never?, _ action: @escaping @Sendable () -> Void) {
        waiting.append((date.probe.number, action))
    }

    func schedule(
        after date: ProbedTime, interval: Stride, tolerance: Stride, options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { Subscriptions.empty }

    func schedule(
        once date: ProbedTime?, tolerance: Stride?, options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> AnyCancellable? {
        watch.look("schedule")
        waiting.append((date?.probe.number ?? number, action))
        let held = watch.probe(60)
        return AnyCancellable { held.pass(()) }
    }
}
