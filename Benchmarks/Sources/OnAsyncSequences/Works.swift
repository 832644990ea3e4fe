@_exported import AsyncAlgorithms
@_exported import Harness

/// The rows of the standard library's asynchronous sequences, with AsyncAlgorithms for the rest. They have backpressure, and
/// a suspension for each value: they are for other work than this, but they are what one has without streams.
///
/// Each is drained by a `for await` in place. In a generic function of one's own, which is not specialised, a row costs several times as
/// much: that would measure the function.
package func asyncWorks() -> [Work] { chains() + subjects() + flattening() + combining() + subscribing() + loops() }
