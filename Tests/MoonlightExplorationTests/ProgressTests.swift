import Moonlight
import MoonlightTestSupport
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
            var line = ProgressLine(on: written.terminal(isTerminal: terminal.0, after: terminal.1))
            line.show(nodes: 3, depth: 2, left: 1)
            line.end()
            expectEqual(written.all, [])
        }
    }
}
