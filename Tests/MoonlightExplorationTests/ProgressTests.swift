import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Synchronization
import Testing

@testable import MoonlightExploration

/// The texts that an exploration writes to a terminal.
private final class Written: Sendable {
    private let lines = Mutex([String]())
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func terminal(isTerminal: Bool = true, after patience: Duration = .zero) -> ProgressTerminal {
        ProgressTerminal(isTerminal: isTerminal, patience: patience) { self.add($0) }
    }
}

/// Waits in its only event until a condition holds.
private func waiting(on terminal: ProgressTerminal, until holds: @escaping @Sendable () -> Bool) -> Exploration<
    Int, Int, Int, Void
> {
    let reducer = Reducer<Int, Int, Int, Void>(
        transform: { _, event, _ in .just(event) },
        apply: { (state: inout Int, event: Int) in
            while !holds() {}
            state = event
        })
    return Exploration(reducer, given: 0) { _ in }.events([1]).changed { $0.terminal = terminal }
}

/// An output whose clock advances by a second each time that it is read.
private func ticking(_ written: Written, isTerminal: Bool = false) -> ProgressTerminal {
    let start = ContinuousClock.now
    let reads = Lock(0)
    return ProgressTerminal(
        isTerminal: isTerminal, patience: .seconds(1),
        now: {
            reads.withLock { reads in
                reads += 1
                return start + .seconds(reads)
            }
        }, write: { written.add($0) })
}

private let fetch = Stub<Int, Int, Never>("fetch")

/// A page that loads until it is stopped: `.stop` does not cancel the job, so that calls accumulate.
private struct Feed: Hashable {
    var isLoading = false
    var page = 0
}

private enum FeedEvent { case load, stop }

/// Returns the reducer of a feed, given a closure that it calls for each event.
private func leaking(
    _ note: @escaping @Sendable () -> Void
) -> Reducer<Feed, FeedEvent, Feed, @Sendable (Int) async -> Int> {
    Reducer(
        transform: { state, event, fetch in
            note()
            let page = state.page
            if case .stop = event { return .just(Feed(isLoading: false, page: page)) }
            return .run { send in send(Feed(isLoading: false, page: await fetch(page) % 3)) }.job("load", .merge)
                .prepend(Feed(isLoading: true, page: page))
        },
        apply: { $0 = $1 })
}

@Suite("Exploration: the line of progress")
struct ProgressTests {
    @Test("A long exploration shows its progress, and removes the line at its end")
    func shown() throws {
        let written = Written()
        _ = try waiting(on: written.terminal()) { !written.all.isEmpty }.run()
        expectEqual(written.all.first?.hasPrefix("\r\u{1B}[Kexploring: 1 nodes, depth 0, 1 to be tried, "), true)
        expectEqual(written.all.last, "\r\u{1B}[K")
    }

    @Test("Nothing is written for a short exploration, or to an output other than a terminal")
    func notShown() throws {
        for terminal in [(false, Duration.zero), (true, .seconds(600))] {
            let written = Written()
            var line = ProgressLine(of: "Int", on: written.terminal(isTerminal: terminal.0, after: terminal.1))
            line.show(SearchCounts(nodes: 3, states: 3, depth: 2, left: 1))
            line.end()
            expectEqual(written.all, [])
        }
    }

    @Test("An exploration whose calls grow without end reports so on any output, and where to set a limit")
    func endless() throws {
        let written = Written()
        let start = ContinuousClock.now
        let events = Lock(0)
        // A second passes with each event.
        let terminal = ProgressTerminal(
            isTerminal: false, patience: .seconds(1), now: { start + .seconds(events.withLock { $0 }) },
            write: { written.add($0) })
        let report = try Exploration(leaking { events.withLock { $0 += 1 } }, given: Feed()) { $0.async(fetch) }
            .events { $0.isLoading ? [.stop] : [.load] }
            .answers(fetch) { [.answer($0 + 1)] }
            .limited(nodes: 300).changed { $0.terminal = terminal }.run()
        expectEqual(report.states, 6)
        expectEqual(written.all.first?.hasPrefix("exploring Feed: "), true)
        let last = written.all.last ?? ""
        expect(last.contains(" nodes, 6 states, depth "), "\(last)")
        let suggestion = """
             s; no new state since the last line: if the calls in flight or the timers grow without end, limit them, or write \
            .limited(nodes: 1000)

            """
        expect(last.hasSuffix(suggestion), "\(last)")
    }

    @Test("A report on a terminal replaces the line of progress, which is shown again after it")
    func reportOnTerminal() {
        let written = Written()
        var line = ProgressLine(of: "Int", on: ticking(written, isTerminal: true))
        for _ in 0..<10 { line.show(SearchCounts(nodes: 1, states: 1, depth: 0, left: 1)) }
        line.end()
        let shown = (2...10).map { "\r\u{1B}[Kexploring: 1 nodes, depth 0, 1 to be tried, \($0) s" }
        let report = "exploring Int: 1 node, 1 state, depth 0 after 10 s\n"
        expectEqual(written.all, shown.dropLast() + ["\r\u{1B}[K", report, shown[8], "\r\u{1B}[K"])
    }
}

@Suite("Exploration: the reports of progress")
struct ProgressReportsTests {
    private func counts(nodes: Int, states: Int) -> SearchCounts {
        SearchCounts(nodes: nodes, states: states, depth: 17, left: 0)
    }

    @Test("The first report is due after ten seconds, and each further one once the elapsed time has doubled")
    func due() {
        var reports = ProgressReports(of: "Cart")
        let due = (0..<100).filter { reports.report(of: counts(nodes: 1, states: 1), after: .seconds($0)) != nil }
        expectEqual(due, [10, 20, 40, 80])
    }

    @Test("The time until a report that was late is doubled")
    func late() {
        var reports = ProgressReports(of: "Cart")
        let due = [9, 15, 29, 30].filter { reports.report(of: counts(nodes: 1, states: 1), after: .seconds($0)) != nil }
        expectEqual(due, [15, 30])
    }

    @Test("A report has the name of the state, the counts, the depth and the time")
    func words() {
        var reports = ProgressReports(of: "Cart")
        expectEqual(
            reports.report(of: counts(nodes: 1200, states: 6), after: .milliseconds(10_900)),
            "exploring Cart: 1,200 nodes, 6 states, depth 17 after 10 s")
        expectEqual(
            reports.report(of: counts(nodes: 1_234_567, states: 1000), after: .seconds(22)),
            "exploring Cart: 1,234,567 nodes, 1,000 states, depth 17 after 22 s")
    }

    @Test("A report suggests a limit if nodes were added since the last report, and no states")
    func suggestion() {
        var reports = ProgressReports(of: "Cart")
        let all = [(10, 6), (20, 6), (30, 7), (30, 7)].enumerated().map { place, count in
            reports.report(of: counts(nodes: count.0, states: count.1), after: .seconds(10 << place))
        }
        expectEqual(all.map { $0?.hasSuffix("or write .limited(nodes: 1000)") }, [false, true, false, false])
    }
}
