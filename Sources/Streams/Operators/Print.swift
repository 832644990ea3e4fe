extension Publishers {
    /// A publisher that prints the events that pass through.
    public struct Print<Upstream: Publisher>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The prefix of each line, followed by a colon; if empty, lines have neither.
        public let prefix: String
        /// The stream that the lines are written to; standard output if nil.
        public let stream: (any TextOutputStream)?

        /// Creates a publisher that prints the events that pass through.
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
            self.upstream = upstream
            self.prefix = prefix
            self.stream = stream
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let printer = Printer(prefix: prefix, stream: stream)
            var events = Events<Upstream.Output, Failure>()
            events.subscription = { printer.print("receive subscription: (\($0))") }
            events.output = { printer.print("receive value: (\($0))") }
            events.completion = { printer.print($0.error.map { "receive error: (\($0))" } ?? "receive finished") }
            events.cancel = { printer.print("receive cancel") }
            events.request = { printer.print("request \(Printer.describe($0))") }
            events.returned = { printer.print("request \(Printer.describe($0)) (synchronous)") }
            upstream.subscribe(EventsSubscriber(EventsDownstream(subscriber, events), named: "Print"))
        }
    }
}

// Sound: the stream is written to only through a Printer, one line at a time.
extension Publishers.Print: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Prints the subscription, requests, values, cancellation and completion, each on a line.
    ///
    /// `Just(1).print("one").sink { _ in }` prints `one: receive subscription: (Just)`, `one: request unlimited`,
    /// `one: receive value: (1)` and `one: receive finished`.
    /// - Parameters:
    ///   - prefix: The beginning of each line, before a colon; empty for no prefix.
    ///   - stream: The stream to write to, which is copied if it is a value; standard output if nil.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: prefix, to: stream)
    }
}

/// Writes lines with a prefix, one at a time. A line that arrives while another is being written is written after it.
@usableFromInline final class Printer: @unchecked Sendable {
    // Sound: only the owner of the mailbox uses the stream and the batch.
    private let prefix: String
    private let lines = Mailbox<String>()
    private let hasStream: Bool
    @exclusivity(unchecked) private var stream: (any TextOutputStream)?
    @exclusivity(unchecked) private var batch: [String] = []

    @usableFromInline init(prefix: String, stream: (any TextOutputStream)?) {
        self.prefix = prefix.isEmpty ? "" : prefix + ": "
        self.stream = stream
        hasStream = stream != nil
    }

    @usableFromInline func print(_ event: String) {
        guard hasStream else { return Swift.print(prefix + event) }
        if lines.post(prefix + event) { work(.own) }
    }

    private func work(_ turn: Mailbox<String>.Turn) {
        // In the same pieces in which the standard library's `print` writes a line, since a stream can distinguish them.
        if lines.work(turn, &batch, { line in for piece in ["", line, "\n"] { stream?.write(piece) } }) { return }
        Handover.run { [self] in work(.handover) }
    }

    @usableFromInline
    static func describe(_ demand: Subscribers.Demand) -> String { demand.max.map { "max: (\($0))" } ?? "unlimited" }
}
