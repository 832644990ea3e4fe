extension Publishers {
    /// A publisher that stops the program when its upstream fails.
    public struct AssertNoFailure<Upstream: Publisher>: Operator, Attaching {
        /// The publisher cannot fail.
        public typealias Failure = Never
        /// The upstream publisher.
        public let upstream: Upstream
        /// The file that the message names.
        public let file: StaticString
        /// The line that the message names.
        public let line: UInt
        /// The beginning of the message, followed by a colon and the error. If empty, the message is the error alone.
        public let prefix: String

        /// Creates a publisher that stops the program when its upstream fails.
        @inlinable public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
            self.upstream = upstream
            self.file = file
            self.line = line
            self.prefix = prefix
        }

        @inlinable @inline(__always) __consuming func attach<S: Subscriber<Upstream.Output, Never>>(_ subscriber: __owned S) {
            let asserting = MapErrorSubscriber<Upstream.Failure, S>(subscriber) { [prefix, file, line] error in
                fatalError("\(prefix.isEmpty ? "" : prefix + ": ")\(error)", file: file, line: line)
            }
            upstream._receive(trusting: asserting, named: "AssertNoFailure")
        }
    }
}

extension Publishers.AssertNoFailure: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Stops the program with a message, in release builds too, when this publisher fails. Use it where a failure is a
    /// programming error.
    /// - Parameters:
    ///   - prefix: The beginning of the message, before the error; empty for none.
    ///   - file: The file that the message names.
    ///   - line: The line that the message names.
    @inlinable public func assertNoFailure(
        _ prefix: String = "", file: StaticString = #file, line: UInt = #line
    ) -> Publishers.AssertNoFailure<Self> { .init(upstream: self, prefix: prefix, file: file, line: line) }
}
