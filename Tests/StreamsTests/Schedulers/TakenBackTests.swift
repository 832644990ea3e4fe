import Dispatch
import Foundation
import MoonlightTestSupport
import Streams
import Testing

/// Applies each operator with time, with an interval of an hour.
private func hourly<S: Scheduler>(
    _ objects: PassthroughSubject<Token, Never>, _ time: S
) -> [(name: String, publisher: AnyPublisher<Int, Never>)] {
    let hour = S.SchedulerTimeType.Stride.seconds(3600)
    return [
        ("delay", objects.delay(for: hour, scheduler: time).map { $0.pass(1) }.eraseToAnyPublisher()),
        ("receive", objects.receive(on: time).map { $0.pass(1) }.eraseToAnyPublisher()),
        ("debounce", objects.debounce(for: hour, scheduler: time).map { $0.pass(1) }.eraseToAnyPublisher()),
        ("throttle", objects.throttle(for: hour, scheduler: time, latest: true).map { $0.pass(1) }.eraseToAnyPublisher()),
        ("timeout", objects.timeout(hour, scheduler: time).map { $0.pass(1) }.eraseToAnyPublisher()),
        ("collect", objects.collect(.byTime(time, hour)).map(\.count).eraseToAnyPublisher()),
        ("collect, count", objects.collect(.byTimeOrCount(time, hour, 9)).map(\.count).eraseToAnyPublisher()),
    ]
}

/// Checks the release of waiting values when the subscription of an operator is cancelled. Returns the names of the operators
/// that retain values or the receiving closure.
///
/// - Parameter pass: Waits until another thread has finished a delivery that began before the cancellation, and may retain a
///   value.
private func keeping(_ time: some Scheduler, pass: () async -> Void = {}) async -> [String] {
    let objects = PassthroughSubject<Token, Never>()
    var names: [String] = []
    for (name, publisher) in hourly(objects, time) {
        let tokens = Lock<[Weak]>([])
        let cancellable: AnyCancellable
        do {
            let captured = Token()
            tokens.withLock { $0.append(Weak(captured)) }
            cancellable = publisher.sink { _ in captured.pass(()) }
        }
        for _ in 1...3 {
            let value = Token()
            tokens.withLock { $0.append(Weak(value)) }
            objects.send(value)
        }
        cancellable.cancel()
        await pass()
        if !tokens.withLock({ $0.allSatisfy { $0.token == nil } }) { names.append(name) }
    }
    return names
}

/// Returns when a scheduler has run the closures scheduled before.
private func turn(of scheduler: some Scheduler) async {
    await withCheckedContinuation { continuation in scheduler.schedule { continuation.resume() } }
}

private struct Weak: Sendable {
    weak let token: Token?
    init(_ token: Token) { self.token = token }
}

@Suite("Cancellation of scheduled work")
struct TakenBackTests {
    @Test("Operators that wait for virtual time release their values and timers when they are cancelled")
    func virtual() async {
        let time = VirtualTimeScheduler()
        await expectEqual(keeping(time), [])
        expectEqual(time.pending, 0)
    }

    @Test("Operators that wait for a clock release their values and sleeping tasks when they are cancelled")
    func clock() async {
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        await expectEqual(keeping(scheduler) { await turn(of: scheduler) }, [])
        await clock.sleepers(0)
    }

    @Test("Operators that wait for a clock of the standard library release their values when they are cancelled")
    func standardClocks() async {
        let (continuous, suspending) = (ClockScheduler(ContinuousClock()), ClockScheduler(SuspendingClock()))
        await expectEqual(keeping(continuous) { await turn(of: continuous) }, [])
        await expectEqual(keeping(suspending) { await turn(of: suspending) }, [])
    }

    @Test(
        "Operators that wait for a queue release their values when they are cancelled, whether the queue is suspended or not",
        arguments: [false, true])
    func queue(isBlocked: Bool) async {
        let queue = DispatchQueue(label: "tests")
        if isBlocked { queue.suspend() }
        await expectEqual(keeping(queue) { if !isBlocked { await turn(of: queue) } }, [])
        if isBlocked { queue.resume() }
        await turn(of: queue)
    }

    @Test("Thousands of cancelled timers leave nothing with virtual time")
    func manyVirtual() {
        let (time, count) = (VirtualTimeScheduler(), Budget.size(25_000, quick: 2_500))
        // A value and the completion each.
        let delays = (0..<count).map { number in
            Just(number).delay(for: .seconds(3600 - number % 7), scheduler: time).sink { _ in }
        }
        let subject = PassthroughSubject<Int, Never>()
        let delay = subject.delay(for: .seconds(3600), scheduler: time).sink { _ in }
        for number in 0..<2 * count { subject.send(number) }
        expectEqual(time.pending, 4 * count)
        delay.cancel()
        expectEqual(time.pending, 2 * count)
        for delay in delays { delay.cancel() }
        expectEqual(time.pending, 0)
    }

    @Test("Thousands of cancelled timers leave no task asleep on a clock")
    func manyOnAClock() async {
        let count = Budget.size(5_000, quick: 1_000)
        let clock = ManualClock()
        let scheduler = ClockScheduler(clock)
        let delays = (0..<count).map { number in
            Just(number).delay(for: .seconds(3600 - number % 7), scheduler: scheduler).sink { _ in }
        }
        await clock.sleepers(2 * count)
        for delay in delays { delay.cancel() }
        await clock.sleepers(0)
    }

    /// Cancels a task that waits for an alarm, and checks that the wait ends with an error, and that nothing retains the alarm.
    ///
    /// - Parameters:
    ///   - begin: Called in the task before it waits.
    ///   - pass: Called before the task is cancelled.
    private func checkCancelledAlarm(
        _ span: Duration, _ stopsWithTheSystem: Bool, begin: @escaping @Sendable () async -> Void = {},
        pass: () async -> Void = {}
    ) async {
        weak var alarm: ClockAlarm?
        let task: Task<Bool, Never>
        do {
            let made = ClockAlarm()
            alarm = made
            task = Task {
                await begin()
                do {
                    try await made.wait(for: span, tolerance: .zero, stopsWithTheSystem: stopsWithTheSystem)
                    return false
                } catch { return true }
            }
        }
        await pass()
        task.cancel()
        await expect(task.value)
        for _ in 0..<1_000_000 where alarm != nil { await Task.yield() }
        expect(alarm == nil, "its timer holds it")
    }

    @Test(
        "An alarm of the standard library's clocks is released when its task is cancelled",
        arguments: [false, true], [Duration.seconds(3600), .seconds(Int64.max)])
    func alarm(stopsWithTheSystem: Bool, span: Duration) async {
        await checkCancelledAlarm(span, stopsWithTheSystem, pass: { for _ in 1...10 { await Task.yield() } })
    }

    @Test("An alarm does not wait in a task that was cancelled before, and is released", arguments: [false, true])
    func alarmAfterCancelling(stopsWithTheSystem: Bool) async {
        await checkCancelledAlarm(
            .seconds(3600), stopsWithTheSystem, begin: { while !Task.isCancelled { await Task.yield() } })
    }

    @Test("A task that sleeps on a standard clock resumes when it is cancelled, and not before")
    func clockWaits() async throws {
        let started = Log<String>()
        let tasks = [
            Task {
                started.append("continuous")
                try await ContinuousClock().wait(until: .now + .seconds(3600), tolerance: nil)
            },
            Task {
                started.append("suspending")
                try await SuspendingClock().wait(until: .now + .seconds(3600), tolerance: nil)
            },
        ]
        try await until { started.items.count == 2 }
        for task in tasks {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    // The memory of a process is read like this on Linux only; an exit test that captures a value needs the testing library of
    // Swift 6.3.
    #if os(Linux) && compiler(>=6.3)
        @Test(
            "Cancelled delays leave no memory allocated, on any scheduler with real time", .enabled(if: Budget.isExhaustive),
            arguments: Timekeeper.allCases)
        func memory(timekeeper: Timekeeper) async {
            await #expect(processExitsWith: .success) { [timekeeper] in
                await timekeeper.cancelMany(rounds: 5)
                // Timers that remain, of twenty thousand values and as many completions, need some 28,000 each time. Memory that
                // is released late is reused.
                for _ in 1...8 {
                    let before = kilobytes()
                    await timekeeper.cancelMany(rounds: 20)
                    if kilobytes() - before < 5000 { return }
                }
                preconditionFailure("the memory grows each time")
            }
        }

        @Test("Thousands of delays on a clock that are cancelled at once use few threads")
        func threads() async {
            await #expect(processExitsWith: .success) {
                await Timekeeper.continuous.cancelMany(rounds: 5)
                let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
                precondition(threads < 100, "there are \(threads) threads")
            }
        }
    #endif
}

/// A scheduler that tests of memory use in a process of their own.
enum Timekeeper: String, CaseIterable, Codable, Sendable {
    case continuous, suspending, queue

    /// Cancels a thousand delays of an hour at a time.
    func cancelMany(rounds: Int) async {
        switch self {
        case .continuous: await cancelMany(rounds, on: ClockScheduler(ContinuousClock()))
        case .suspending: await cancelMany(rounds, on: ClockScheduler(SuspendingClock()))
        case .queue: await cancelMany(rounds, on: DispatchQueue(label: "tests"))
        }
    }

    private func cancelMany(_ rounds: Int, on scheduler: some Scheduler) async {
        for _ in 0..<rounds {
            let delays = (0..<1000).map { Just($0).delay(for: .seconds(3600), scheduler: scheduler).sink { _ in } }
            await pass(scheduler)
            for delay in delays { delay.cancel() }
            await pass(scheduler)
        }
    }

    /// Yields until most pending tasks have run.
    private func pass(_ scheduler: some Scheduler) async {
        for _ in 1...10 {
            let done = Flag()
            scheduler.schedule { done.raise() }
            await done.wait()
        }
    }
}

private func kilobytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}
