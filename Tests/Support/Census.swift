import Streams

/// The set of live tokens.
package final class Census: Sendable {
    private let counts = Lock<[String: Int]>([:])

    package init() {}

    /// The names of the live tokens, in alphabetical order.
    package var alive: [String] { counts.withLock { counts in counts.filter { $0.value > 0 }.keys.sorted() } }

    fileprivate func change(_ name: String, by amount: Int) { counts.withLock { $0[name, default: 0] += amount } }
}

/// A token whose lifetime is recorded.
package final class Token: Sendable {
    private let name: String
    private let census: Census

    package init(_ name: String, in census: Census) {
        self.name = name
        self.census = census
        census.change(name, by: 1)
    }

    deinit { census.change(name, by: -1) }

    /// Does nothing; a closure that calls this retains the token.
    package func touch() {}
}
