import Streams

/// Knows which tokens are alive.
package final class Census: Sendable {
    private let counts = Lock<[String: Int]>([:])

    package init() {}

    /// The names of those that are alive, in alphabetical order.
    package var alive: [String] { counts.withLock { counts in counts.filter { $0.value > 0 }.keys.sorted() } }

    fileprivate func change(_ name: String, by amount: Int) { counts.withLock { $0[name, default: 0] += amount } }
}

/// Something to be kept alive.
package final class Token: Sendable {
    private let name: String
    private let census: Census

    package init(_ name: String, in census: Census) {
        self.name = name
        self.census = census
        census.change(name, by: 1)
    }

    deinit { census.change(name, by: -1) }

    /// Makes a closure that calls this keep the token.
    package func touch() {}
}
