import CAllocations
import Foundation
import Moonlight
import Streams

/// Checks that floods do not block other senders. A slow thread makes a call each millisecond, beside threads that send without
/// pause. At most one call in a thousand may take longer than the cost of its own event, a millisecond, and the time of a plain
/// lock in the same circumstances. None may take a tenth of a second more, which allows for a busy machine. The queue stays
/// within 16 MB.
///
/// - Parameters:
///   - seconds: The duration of each flood.
///   - title: A part of the titles of the floods to run; nil for all.
///   - isStrict: True to check the millisecond and the 16 MB beside one, three and seven threads; false for short floods on a busy
///     machine, with a limit of 64 MB, beside three threads.
func fairness(seconds: Double, only title: String? = nil, isStrict: Bool) {
    var broken: [String] = []
    for cost in [Duration.zero, .microseconds(50), .milliseconds(5)] {
        for flooders in isStrict ? [1, 3, 7] : [3] {
            let aLock = lockFlood(cost: cost).run(flooders: flooders, seconds: seconds)
            for flood in floods(cost: cost, areLong: isStrict) where title.map(flood.title(beside: flooders).contains) ?? true {
                let report = flood.run(flooders: flooders, seconds: seconds)
                for call in report.calls {
                    let limit = cost + .milliseconds(1) + aLock.calls[0].usual
                    if isStrict, call.usual > limit { broken.append("\(report.title): \(call.name) took \(call.usual)") }
                    if call.longest > cost * 20 + .milliseconds(100) {
                        broken.append("\(report.title): \(call.name) took \(call.longest)")
                    }
                }
                if report.growth > (isStrict ? 16 : 64) {
                    broken.append("\(report.title): memory has grown by \(report.growth) MB")
                }
            }
        }
    }
    broken += answers(seconds: seconds, isStrict: isStrict)
    broken += afterABurst()
    guard broken.isEmpty else {
        broken.forEach(say)
        exit(1)
    }
}

/// An object that many threads use at once.
private struct Flood {
    let name: String
    /// The action of the flooding threads.
    let send: @Sendable () -> Void
    /// The calls of the slow thread in order, each measured separately.
    let calls: [(name: String, call: () -> Void)]
    let end: () -> Void

    struct Report {
        let title: String
        /// The 99.9th percentile of each call's time, and the longest.
        let calls: [(name: String, usual: Duration, longest: Duration)]
        /// The growth of the memory in MB.
        let growth: Double
    }

    func title(beside flooders: Int) -> String { "\(name), \(flooders) flooding" }

    func run(flooders: Int, seconds: Double) -> Report {
        let before = resetPeak()
        let isOver = Tally()
        let group = DispatchGroup()
        for _ in 0..<flooders {
            group.enter()
            Thread.detachNewThread { [send] in
                while isOver.value == 0 { send() }
                group.leave()
            }
        }
        var times: [[Duration]] = calls.map { _ in [] }
        // If permitted, the slow thread has priority, so that it does not wait for a processor.
        withPriority {
            let start = ContinuousClock.now
            while ContinuousClock.now - start < .seconds(seconds) {
                Thread.sleep(forTimeInterval: 0.001)
                for (place, call) in calls.enumerated() { times[place].append(timeOf(call.call)) }
            }
        }
        isOver.add(1)
        group.wait()
        let growth = before.flatMap { before in peakMemory().map { $0 - before } } ?? 0
        end()
        let title = title(beside: flooders)
        let report = zip(calls, times).map { call, times in
            let sorted = times.sorted()
            return (name: call.name, usual: sorted[sorted.count * 999 / 1000], longest: sorted[sorted.count - 1])
        }
        let waits = report.map { "\($0.name) \(inMicroseconds($0.usual)), \(inMicroseconds($0.longest))" }.joined(separator: "; ")
        say(
            "\(title): \(waits) us (but one in a thousand, the longest) of \(times[0].count), \(String(format: "%.1f", growth)) MB"
        )
        return Report(title: title, calls: report, growth: growth)
    }
}

private func inMicroseconds(_ time: Duration) -> Int { Int(time / .microseconds(1)) }

/// The baseline: the minimum for exchanging values between threads.
private func lockFlood(cost: Duration) -> Flood {
    let tally = Tally()
    return Flood(
        name: "a lock, \(inMicroseconds(cost)) us an event",
        send: {
            tally.add(1)
            spend(cost)
        }, calls: [("add", { tally.add(1) })], end: {})
}

/// Returns the floods. Long ones that are faster than their receiver would fill the memory: there, the inboxes of stores are bounded,
/// and subjects, which have no bound, only receive values that cost nothing.
private func floods(cost: Duration, areLong: Bool) -> [Flood] {
    let inbox: InboxBound = areLong ? .reject(10_000) : .unbounded
    let work: @Sendable () -> Void = { spend(cost) }
    let makeStore = {
        Store<Int, Int>(
            reducer: Reducer(
                transform: { _, event, _ in
                    work()
                    return Just(event).eraseToAnyPublisher()
                }, apply: { (state: inout Int, effect: Int) in state &+= effect }),
            initialState: 0, environment: (), options: LoopOptions(inbox: inbox))
    }
    let (sent, posted, observed) = (makeStore(), makeStore(), makeStore())
    let (subject, watched) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let listeners = [subject.sink { _ in work() }, watched.sink { _ in work() }]
    var cancellable: AnyCancellable?
    let stores = [
        Flood(
            name: "a loop, sent to, \(inMicroseconds(cost)) us an event", send: { sent.send(1) },
            calls: [("send", { sent.send(1) })], end: sent.cancel),
        Flood(
            name: "a loop, posted to, \(inMicroseconds(cost)) us an event", send: { posted.post(1) },
            calls: [("post", { posted.post(1) })], end: posted.cancel),
        Flood(
            name: "a loop's states, \(inMicroseconds(cost)) us an event", send: { observed.send(1) },
            calls: [
                ("sink", { cancellable = observed.states.sink { _ in } }), ("cancel", { cancellable?.cancel() }),
            ],
            end: observed.cancel),
    ]
    if areLong, cost > .zero { return stores }
    return stores + [
        Flood(
            name: "a subject, \(inMicroseconds(cost)) us an event", send: { subject.send(1) },
            calls: [("send", { subject.send(1) })], end: listeners[0].cancel),
        Flood(
            name: "a subject's subscribers, \(inMicroseconds(cost)) us an event", send: { watched.send(1) },
            calls: [("sink", { cancellable = watched.sink { _ in } }), ("cancel", { cancellable?.cancel() })],
            end: listeners[1].cancel),
    ]
}

/// Uses the processor for a time.
private func spend(_ time: Duration) {
    guard time > .zero else { return }
    let start = ContinuousClock.now
    while ContinuousClock.now - start < time {}
}

/// Runs a closure with real-time priority, if this process may.
private func withPriority(_ body: () -> Void) {
    #if os(Linux)
        var parameters = sched_param(sched_priority: 1)
        pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
        defer {
            parameters.sched_priority = 0
            pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters)
        }
    #endif
    body()
}

/// Returns the duration of a call. If the thread was preempted during the call, it is the processor time.
private func timeOf(_ call: () -> Void) -> Duration {
    let (switches, processor, start) = (preemptions(), processorTime(), ContinuousClock.now)
    call()
    let time = ContinuousClock.now - start
    return preemptions() == switches ? time : processorTime() - processor
}

private func preemptions() -> Int {
    #if os(Linux)
        var usage = rusage()
        // RUSAGE_THREAD, a macro that Swift does not import.
        getrusage(1, &usage)
        return usage.ru_nivcsw
    #else
        return 0
    #endif
}

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Runs eight clients, each of which waits for an answer before it sends the next event, like clients of a server.
private func answers(seconds: Double, isStrict: Bool) -> [String] {
    let cost = Duration.milliseconds(5)
    let clients = 8
    let store = Store<Int, Int>(
        reducer: Reducer(
            transform: { _, event, _ in
                spend(cost)
                return Just(event).eraseToAnyPublisher()
            }, apply: { (state: inout Int, effect: Int) in state &+= effect }),
        initialState: 0, environment: ())
    let times = Times()
    let group = DispatchGroup()
    for _ in 0..<clients {
        group.enter()
        Task {
            let start = ContinuousClock.now
            while ContinuousClock.now - start < .seconds(seconds) {
                let asked = ContinuousClock.now
                await store.send(1)
                times.add(ContinuousClock.now - asked)
            }
            group.leave()
        }
    }
    group.wait()
    store.cancel()
    let sorted = times.sorted
    let (median, longest) = (sorted[sorted.count / 2], sorted.last!)
    say(
        "\(clients) clients, each waiting for its answer: \(inMicroseconds(median)) us half of them, \(inMicroseconds(longest)) us the longest of \(sorted.count)"
    )
    // An event waits for those before it; up to twice as long, or longer on a busy machine.
    return longest > cost * clients * (isStrict ? 2 : 20) ? ["an answer came after \(longest)"] : []
}

private final class Times: @unchecked Sendable {
    // Sound: behind its lock.
    private let lock = NSLock()
    private var times: [Duration] = []
    var sorted: [Duration] { lock.withLock { times.sorted() } }
    func add(_ time: Duration) { lock.withLock { times.append(time) } }
}

/// Checks that the memory of a burst is released: a store that has had 20,000 queued events keeps at most 4 KB.
private func afterABurst() -> [String] {
    guard allocations_are_counted() else { return [] }
    let (isHeld, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let store = Store<Int, Int>(
        reducer: Reducer(
            transform: { _, event, _ in
                if event == 0 {
                    isHeld.signal()
                    goOn.wait()
                }
                return Just(event).eraseToAnyPublisher()
            }, apply: { (state: inout Int, effect: Int) in state &+= effect }),
        initialState: 0, environment: ())
    func burst(_ count: Int) {
        let answered = DispatchSemaphore(value: 0)
        Thread.detachNewThread { store.send(0) }
        isHeld.wait()
        for _ in 0..<count { store.post(1) }
        goOn.signal()
        // Answered when all earlier events have been handled.
        Task {
            await store.send(1)
            answered.signal()
        }
        answered.wait()
    }
    burst(10)
    let before = allocated_bytes()
    burst(20_000)
    // The answer arrives while its event is handled; the memory of the burst is released shortly afterwards.
    var kept = allocated_bytes() - before
    let start = ContinuousClock.now
    while kept > 4096, start.duration(to: .now) < .seconds(5) {
        usleep(1000)
        kept = allocated_bytes() - before
    }
    say("a store that has had 20000 events waiting keeps \(kept) bytes")
    store.cancel()
    return kept > 4096 ? ["an idle store keeps \(kept) bytes of a burst"] : []
}
