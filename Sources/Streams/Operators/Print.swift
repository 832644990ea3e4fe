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
        var stream = stream
        let lines = PassthroughSubject<String, Never>()
        // A line that arrives while another is being written is written after it. It is written in the same pieces in which the
        // standard library's `print` writes it, since a stream can distinguish them.
        let writing = lines.sink(isolation: nil) { line in for piece in ["", line, "\n"] { stream?.write(piece) } }
        let (start, hasStream) = (prefix.isEmpty ? "" : prefix + ": ", stream != nil)
        let print = { @Sendable (event: String) in
            if hasStream { withExtendedLifetime(writing) { lines.send(start + event) } } else { Swift.print(start + event) }
        }
        let describe = { @Sendable (demand: Subscribers.Demand) in demand.max.map { "max: (\($0))" } ?? "unlimited" }
        let events = Events<Output, Failure>(
            subscription: { print("receive subscription: (\($0))") },
            output: { print("receive value: (\($0))") },
            completion: { print($0.error.map { "receive error: (\($0))" } ?? "receive finished") },
            cancel: { print("receive cancel") },
            request: { print("request \(describe($0))") },
            returned: { print("request \(describe($0)) (synchronous)") })
        return .init(upstream: self, name: "Print", events: events)
    }
}
