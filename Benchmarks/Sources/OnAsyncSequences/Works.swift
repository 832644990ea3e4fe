@_exported import AsyncAlgorithms
@_exported import Harness

/// What the standard library's asynchronous sequences do, with AsyncAlgorithms for what these lack. Back-pressure comes with them, and
/// a suspension for each value: they are for other work than this, but they are what one has without streams.
package func asyncWorks() -> [Work] { chains() + subjects() + flattening() + combining() + subscribing() + loops() }

extension AsyncSequence where Element == Int {
    /// Consumes all, on this task.
    func consume() async rethrows {
        let total = total
        for try await value in self { mix(value, into: total) }
    }
}
