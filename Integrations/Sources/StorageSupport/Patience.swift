#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Limits the time in which calls to a server are repeated, with growing pauses. For a thread that may block.
package struct Patience {
    private let start = ContinuousClock.now
    private let limit: Duration
    private var pause: Int32

    /// - Parameters:
    ///   - limit: The time limit.
    ///   - pause: The first pause, in milliseconds; each is twice the one before, up to half a second.
    package init(_ limit: Duration, pause: Int32) {
        self.limit = limit
        self.pause = pause
    }

    /// True if the time limit has passed.
    package var hasEnded: Bool { ContinuousClock.now - start >= limit }

    /// Waits before the next attempt.
    package mutating func wait() {
        poll(nil, 0, pause)
        pause = min(500, pause * 2)
    }
}
