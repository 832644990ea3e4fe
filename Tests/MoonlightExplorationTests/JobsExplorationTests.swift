import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct Failed: Error, Equatable {}
private struct Calls: Sendable { var ask: @Sendable (Int) -> AnyPublisher<Int, Failed> }
private let ask = Stub<Int, Int, Failed>("ask")

private enum Event: Hashable { case ask, askUrgently, stop }
private enum Entry: Hashable {
    case asked(Int)
    case began(Int)
    case ended(Int)
    case stopped
}

/// The history, in order. Requests are numbered as they arrive.
private struct Log: Hashable {
    var entries: [Entry] = []

    var asked: [Int] { entries.compactMap { if case .asked(let number) = $0 { number } else { nil } } }
    var began: [Int] { entries.compactMap { if case .began(let number) = $0 { number } else { nil } } }
    var ended: [Int] { entries.compactMap { if case .ended(let number) = $0 { number } else { nil } } }
    /// The requests that have begun and not ended, although nothing has stopped or replaced them.
    var running: [Int] { began.filter { !ended.contains($0) } }
    /// The entries, each with the entries before it.
    var steps: [(entry: Entry, before: Log)] {
        entries.indices.map { (entries[$0], Log(entries: Array(entries[..<$0]))) }
    }
    /// True if a request has just been made, so that nothing can have followed yet.
    var isJustAsked: Bool { if case .asked = entries.last { true } else { false } }
}

/// A reducer that makes a request as a job. Each request is noted when it is made, when its job begins, and when the job
/// ends.
private func asking(_ policy: JobPolicy, urgent: JobPolicy = .latest) -> Reducer<Log, Event, Entry, Calls> {
    Reducer(
        transform: { log, event, calls in
            let number = log.asked.count
            let answer = calls.ask(number)
                .map { _ in Entry.ended(number) }
                .catch { _ in Just(.ended(number)) }
                .prepend(.began(number))
            switch event {
            case .ask: return answer.job("ask", policy).prepend(.asked(number)).eraseToAnyPublisher()
            case .askUrgently: return answer.job("ask", urgent).prepend(.asked(number)).eraseToAnyPublisher()
            case .stop: return AnyPublisher<Entry, Never>.cancelJob("ask").append(.stopped).eraseToAnyPublisher()
            }
        },
        apply: { (log: inout Log, entry: Entry) in log.entries.append(entry) })
}

private func exploration(
    _ policy: JobPolicy, _ events: [Event] = [.ask], atMost count: Int = 3
) -> Exploration<Log, Event, Entry, Calls> {
    Exploration(asking(policy), given: Log()) { Calls(ask: $0.publisher(ask)) }
        .events(events, atMost: count)
        .answers(ask, with: [1], failing: [Failed()])
        .allowingRefusals { $0 is JobError }
        .always("a job ends once, after it has begun, which it does after it was asked for, once") { log in
            log.steps.allSatisfy { entry, before in
                switch entry {
                case .asked, .stopped: true
                case .began(let number): before.asked.contains(number) && !before.began.contains(number)
                case .ended(let number): before.began.contains(number) && !before.ended.contains(number)
                }
            }
        }
}

@Suite("Exploration: the policies of jobs")
struct JobsExplorationTests {
    @Test("Under .latest each request begins at once, and only the last one is answered from then on")
    func latest() throws {
        let report = try exploration(.latest)
            .always("each begins at once") { $0.isJustAsked || $0.began == $0.asked }
            .always("no older one is answered") { log in
                log.steps.allSatisfy { entry, before in
                    if case .ended(let number) = entry { number == before.began.last } else { true }
                }
            }
            .eventually("the last request is answered", after: { !$0.asked.isEmpty }, until: { $0.asked.last == $0.ended.last })
            .whenQuiet("the last request has been answered") { $0.asked.last == $0.ended.last }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("Under .ignoreNew one request runs at a time, and only those made meanwhile are ignored")
    func ignoreNew() throws {
        let report = try exploration(.ignoreNew)
            .never("two run") { $0.running.count > 1 }
            .always("exactly the requests made while nothing runs begin") { log in
                log.steps.allSatisfy { entry, before in
                    if case .asked(let number) = entry {
                        before.running.isEmpty == log.began.contains(number) || log.isJustAsked && log.asked.last == number
                    } else {
                        true
                    }
                }
            }
            .whenQuiet("each request that has begun has ended") { $0.running.isEmpty && $0.began.first == $0.asked.first }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("Under .queue all requests are answered, one after the other, in their order")
    func queue() throws {
        let report = try exploration(.queue)
            .never("two run") { $0.running.count > 1 }
            .always("they begin in the order in which they were asked for") { $0.began == Array($0.asked.prefix($0.began.count)) }
            .always("nothing waits without need") { log in
                log.isJustAsked || log.hasJustEnded || log.ended == log.asked || log.running.count == 1
            }
            .eventually("a request is answered", after: { !$0.asked.isEmpty }, until: { $0.ended == $0.asked })
            .whenQuiet("all have been answered, in order") { $0.ended == $0.asked }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("Under .merge all requests begin at once and are answered, in any order")
    func merge() throws {
        let merging = exploration(.merge)
            .always("each begins at once") { $0.isJustAsked || $0.began == $0.asked }
            .eventually("a request is answered", after: { !$0.asked.isEmpty }, until: { $0.running.isEmpty && !$0.isJustAsked })
            .whenQuiet("all have been answered") { $0.ended.sorted() == $0.asked }
        try expectEqual(merging.run().extent, .exhaustive)
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        for order in Budget.sample(orders, least: 2) {
            let failure = #expect(throws: ExplorationFailure.self) { try merging.never("this order") { $0.ended == order }.run() }
            expectEqual(failure?.message.hasPrefix("\"never: this order\" does not hold"), true, "\(order)")
        }
    }

    @Test(
        "Under .queue(limit:), at most `limit` requests wait, in order, and further ones are rejected and never begin",
        arguments: 0...2)
    func limitedQueue(limit: Int) throws {
        let report = try exploration(.queue(limit: limit), atMost: 4)
            .never("two run") { $0.running.count > 1 }
            .always("those that begin do so in order") { $0.began == $0.began.sorted() }
            .whenQuiet("exactly the requests with room have been answered") { log in
                log.ended == log.admitted(inFlight: limit + 1)
            }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test(
        "Under .merge(limit:), at most `limit` requests run, and further ones are rejected and never begin",
        arguments: 1...Budget.size(3, quick: 2))
    func limitedMerge(limit: Int) throws {
        let report = try exploration(.merge(limit: limit), atMost: Budget.size(4, quick: 3))
            .never("more run than may") { $0.running.count > limit }
            .whenQuiet("exactly the requests with room have been answered") { log in
                log.ended.sorted() == log.admitted(inFlight: limit)
            }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test(
        "Cancelling a job leaves it and the waiting ones without an answer, and does not influence later requests",
        arguments: [JobPolicy.latest, .ignoreNew, .queue, .merge, .queue(limit: 1), .merge(limit: 2)])
    func cancelled(policy: JobPolicy) throws {
        let report = try exploration(policy, [.ask, .stop], atMost: Budget.size(4, quick: 3))
            .always("after a stop nothing of before it happens") { log in
                guard let stop = log.entries.lastIndex(of: .stopped) else { return true }
                let before = Log(entries: Array(log.entries[..<stop])).asked.count
                return log.entries[stop...].allSatisfy { entry in
                    switch entry {
                    case .began(let number), .ended(let number): number >= before
                    case .asked, .stopped: true
                    }
                }
            }
            .always("a request right after a stop begins") { log in
                log.isJustAsked
                    || zip(log.entries, log.entries.dropFirst()).allSatisfy { stop, entry in
                        if stop == .stopped, case .asked(let number) = entry { log.began.contains(number) } else { true }
                    }
            }
            .whenQuiet("requests since the last stop have begun, and the last of them is answered") { log in
                let lives = log.entries.split(separator: .stopped, omittingEmptySubsequences: false)
                let since = Log(entries: Array(lives.last ?? []))
                return since.asked.isEmpty == since.began.isEmpty && since.began.last.map(since.ended.contains) ?? true
            }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("A job that is refused is a violation, like a rejected event, unless it is allowed")
    func refused() throws {
        let asking = Exploration(asking(.queue(limit: 0)), given: Log()) { Calls(ask: $0.publisher(ask)) }
            .events([.ask], atMost: 2)
            .answers(ask, with: [1])
        let failure = #expect(throws: ExplorationFailure.self) { try asking.run() }
        expectEqual(
            failure?.message.hasPrefix(
                "\"nothing is refused\" does not hold: the job ask is refused: the limit of .queue(limit: 0) for job ask is reached"
            ),
            true)
        try expectEqual(asking.allowingRefusals { $0 is JobError }.run().extent, .exhaustive)
    }

    @Test("A request under another policy is rejected while a job of that id is in flight, and only then")
    func conflict() throws {
        // Every other request has the other policy, under which it would begin at once.
        let report = try Exploration(asking(.queue, urgent: .merge), given: Log()) { Calls(ask: $0.publisher(ask)) }
            .events(atMost: 4) { $0.asked.count.isMultiple(of: 2) ? [.ask] : [.askUrgently] }
            .answers(ask, with: [1])
            .allowingRefusals { $0 is JobError }
            .never("two run of different policies") { Set($0.running.map { $0 % 2 }).count > 1 }
            .always("one that comes while none runs begins") { log in
                log.isJustAsked
                    || log.steps.allSatisfy { entry, before in
                        if case .asked(let number) = entry, before.running.isEmpty { log.began.contains(number) } else { true }
                    }
            }
            .whenQuiet("each request that has begun has been answered") { $0.running.isEmpty }
            .run()
        expectEqual(report.extent, .exhaustive)
    }

    @Test("Cancelling an effect from outside lets the next waiting one begin, and the waiting ones keep their order")
    func cancelledFromOutside() throws {
        let queue = exploration(.queue).cancelsAnywhere()
            .never("one begins before one that was asked for earlier") { $0.began != $0.began.sorted() }
            .always("an answer is that to the job that began last") { log in
                log.steps.allSatisfy { entry, before in
                    if case .ended(let number) = entry { number == before.began.last } else { true }
                }
            }
        try expectEqual(queue.run().extent, .exhaustive)
        try expect(queue.replay("e0 e0 c0").hasSuffix("calls ask(1)"))
    }

    @Test("A job of one child does not replace a job of another child with the same id")
    func children() throws {
        let reducer = Reducer.combine(
            asking(.latest).scoped(to: \Pair.first, event: Of<Event>.firstOne, effect: Of<Entry>.firstOne, environment: { $0 }),
            asking(.latest).scoped(to: \Pair.second, event: Of<Event>.secondOne, effect: Of<Entry>.secondOne, environment: { $0 })
        )
        let report = try Exploration(reducer, given: Pair()) { Calls(ask: $0.publisher(ask)) }
            .events([.first(.ask), .second(.ask)], atMost: 3)
            .answers(ask, with: [1])
            .eventually("each child's last request is answered", after: { $0.isWaiting }, until: { !$0.isWaiting })
            .whenQuiet("each child's last request has been answered") { !$0.isWaiting }
            .run()
        expectEqual(report.extent, .exhaustive)
    }
}

extension Log {
    /// True if a job has just ended, so that the next one cannot have begun yet.
    fileprivate var hasJustEnded: Bool { if case .ended = entries.last { true } else { false } }

    /// Returns the requests that arrived while there was room.
    fileprivate func admitted(inFlight limit: Int) -> [Int] {
        var (admitted, inFlight) = ([Int](), Set<Int>())
        for entry in entries {
            switch entry {
            case .asked(let number) where inFlight.count < limit:
                admitted.append(number)
                inFlight.insert(number)
            case .ended(let number): inFlight.remove(number)
            case .asked, .began, .stopped: break
            }
        }
        return admitted
    }
}

/// Two children.
private struct Pair: Hashable {
    var first = Log()
    var second = Log()

    var isWaiting: Bool { first.asked.last != first.ended.last || second.asked.last != second.ended.last }
}

private enum Of<Value> {
    case first(Value)
    case second(Value)

    static var firstOne: CasePath<Of, Value> { CasePath(Of.first) { if case .first(let value) = $0 { value } else { nil } } }
    static var secondOne: CasePath<Of, Value> { CasePath(Of.second) { if case .second(let value) = $0 { value } else { nil } } }
}

extension Of: Equatable where Value: Equatable {}
extension Of: Hashable where Value: Hashable {}
