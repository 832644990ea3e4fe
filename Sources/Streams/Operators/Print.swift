extension Publishers {
    /// A publisher that prints what passes through.
    public struct Print<Upstream: Publisher>: Operator, Attaching {
        /// Where the values come from; what each line starts with, before a colon; nothing if empty.
        public let upstream: Upstream, prefix: String
        /// Where the lines go; standard output if nil.
        public let stream: (any TextOutputStream)?

        /// A publisher that prints what passes through.
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
            (self.upstream, self.prefix, self.stream) = (upstream, prefix, stream)
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

// Sound: the stream is only written to through a Printer, one line at a time.
extension Publishers.Print: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Prints the subscription, requests, values, cancellation and completion, a line each.
    ///
    /// `Just(1).print("one").sink { _ in }` prints `one: receive subscription: (Just)`, `one: request unlimited`,
    /// `one: receive value: (1)` and `one: receive finished`. Each line starts with the prefix and a colon, and goes to the stream, which is copied if it is a value; if nil, to
    /// standard output.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: prefix, to: stream)
    }
}

/// Writes lines with a prefix, one at a time. A line that comes while another is written is written after it.
@usableFromInline final class Printer: @unchecked Sendable {
    // Sound: the stream and the batch belong to the owner of the mailbox.
    private let prefix: String
    private let lines = Mailbox<String>()
    private let hasStream: Bool
    @exclusivity(unchecked) private var stream: (any TextOutputStream)?
    @exclusivity(unchecked) private var batch: [String] = []

    @usableFromInline init(prefix: String, stream: (any TextOutputStream)?) {
        (self.prefix, self.stream, hasStream) = (prefix.isEmpty ? "" : prefix + ": ", stream, stream != nil)
    }

    @usableFromInline func print(_ event: String) {
        guard hasStream else { return Swift.print(prefix + event) }
        if lines.post(prefix + event) { work(.own) } else { lines.holdUp() }
    }

    private func work(_ turn: Mailbox<String>.Turn) {
        // In the pieces in which the standard library's `print` writes a line; a stream may tell them apart.
        if lines.work(turn, &batch, { line in for piece in ["", line, "\n"] { stream?.write(piece) } }) { return }
        lines.bequeath { [self] in work(lines.inherit()) }
    }

    @usableFromInline
    static func describe(_ demand: Subscribers.Demand) -> String { demand.max.map { "max: (\($0))" } ?? "unlimited" }
}
