import MoonPresentation
import MoonlightTestSupport
import Streams

/// A user at the other end of a connection, who waits for output.
final class TerminalScreen: Sendable {
    private struct State {
        var text = ""
        var writes = 0
        var waiting: [(String, CheckedContinuation<Void, Never>)] = []
    }
    private let state = Lock(State())

    /// A terminal that writes to this screen.
    func terminal(_ size: Size = Size(columns: 20, rows: 5), _ environment: [String: String] = ["TERM": "xterm-256color"])
        -> Terminal
    {
        Terminal(size: size, environment: environment) { [self] bytes in write(bytes) }
    }

    private func write(_ bytes: [UInt8]) {
        let ready = state.withLock { state in
            state.text += String(decoding: bytes, as: UTF8.self)
            state.writes += 1
            let text = state.text
            let ready = state.waiting.filter { text.contains($0.0) }
            state.waiting.removeAll { text.contains($0.0) }
            return ready.map(\.1)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Returns when a text has been written.
    func see(_ text: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !state.text.contains(text) { state.waiting.append((text, continuation)) }
                return state.text.contains(text)
            }
            if isThere { continuation.resume() }
        }
    }

    /// All that was written.
    var text: String { state.withLock { $0.text } }
    /// The number of writes.
    var writes: Int { state.withLock { $0.writes } }

    /// Removes the output so far.
    func clear() { state.withLock { ($0.text, $0.writes) = ("", 0) } }
}
