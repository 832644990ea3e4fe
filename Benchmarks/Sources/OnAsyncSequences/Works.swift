@_exported import AsyncAlgorithms
@_exported import Harness

/// The rows of the standard library's asynchronous sequences, with AsyncAlgorithms for the rest. They have backpressure, and a
/// suspension per value: they serve another purpose, but are the alternative without a library.
///
/// Each is drained by a `for await` in place. In a generic function that is not specialized, a row would cost several times as
/// much.
package func asyncWorks() -> [Work] { chains() + subjects() + flattening() + combining() + subscribing() + loops() }
