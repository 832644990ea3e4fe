extension Publishers {
    /// A publisher that prints the events that pass through.
    public typealias Print<Upstream: Publisher> = HandleEvents<Upstream>
}

extension Publisher {
    /// Prints the subscription, requests, values, cancellation and completion, each on a line.
    ///
    /// `Just(1).print("one").sink { _ in }` prints `one: receive subscription: (Just)`, `one: request unlimited`,
    /// `one: receive value: (1)` and `one: receive finished`.
    /// - Parameters:
    ///   - prefix: The beginning of each line, before a colon; empty for no prefix.
    ///   - stream: The stream to write to, which is copied if it is a value; standard output if nil.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        let printer = Printer(prefix: prefix, stream: stream)
        let events = Events<Output, Failure>(
            subscription: { printer.print("receive subscription: (\($0))") },
            output: { printer.print("receive value: (\($0))") },
            completion: { printer.print($0.error.map { "receive error: (\($0))" } ?? "receive finished") },
            cancel: { printer.print("receive cancel") },
            request: { printer.print("request \(Printer.describe($0))") },
            returned: { printer.print("request \(Printer.describe($0)) (synchronous)") })
        return .init(upstream: self, name: "Print", events: events)
    }
}

/// Writes lines with a prefix, one at a time. A line that arrives while another is being written is written after it.
private final class Printer: @unchecked Sendable {
    // Sound: only the owner of the mailbox uses the stream and the batch.
    private let prefix: String
    private let lines = Mailbox<String>()
    private let hasStream: Bool
    @exclusivity(unchecked) private var stream: (any TextOutputStream)?
    @exclusivity(unchecked) private var batch: [String] = []

    init(prefix: String, stream: (any TextOutputStream)?) {
        self.prefix = prefix.isEmpty ? "" : prefix + ": "
        self.stream = stream
        hasStream = stream != nil
    }

    func print(_ event: String) {
        guard hasStream else { return Swift.print(prefix + event) }
        if lines.post(prefix + event) { work(within: nil) }
    }

    private func work(within slice: TimeSlice?) {
        // In the same pieces in which the standard library's `print` writes a line, since a stream can distinguish them.
        if lines.work(within: slice, &batch, { line in for piece in ["", line, "\n"] { stream?.write(piece) } }) { return }
        runDetached { [self] in work(within: TimeSlice()) }
    }

    static func describe(_ demand: Subscribers.Demand) -> String { demand.max.map { "max: (\($0))" } ?? "unlimited" }
}
