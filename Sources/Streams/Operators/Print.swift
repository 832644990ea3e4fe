import Synchronization

extension Publishers {
    /// A publisher that prints what passes through.
    public struct Print<Upstream: Publisher>: Operator {
        /// Where the values come from.
        public let upstream: Upstream

        /// What each line starts with, before a colon; nothing if empty.
        public let prefix: String

        /// Where the lines go; standard output if nil.
        public let stream: (any TextOutputStream)?

        /// A publisher that prints what passes through.
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
            self.upstream = upstream
            self.prefix = prefix
            self.stream = stream
        }

        /// Attaches a subscriber.
        @inlinable @inline(__always)
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Upstream.Output, S.Failure == Failure {
            upstream.subscribe(PrintSubscriber(subscriber, PrintLine(prefix: prefix, stream: stream)))
        }
    }
}

// Sound: the stream is only written to through PrintLine, one line at a time.
extension Publishers.Print: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Prints the subscription, requests, values, cancellation and completion, a line each.
    ///
    /// ```swift
    /// Just(1).print("one").sink { _ in }
    /// // one: receive subscription: (Just)
    /// // one: request unlimited
    /// // one: receive value: (1)
    /// // one: receive finished
    /// ```
    /// - Parameters:
    ///   - prefix: What each line starts with, before a colon.
    ///   - stream: Where the lines go; standard output if nil. A stream that is a value is copied.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: prefix, to: stream)
    }
}

/// Writes lines with a prefix, one at a time.
@usableFromInline
final class PrintLine: @unchecked Sendable {
    // Sound: the stream is behind the lock. The one place where user code, a stream's write, runs with a lock held: the
    // lock belongs to this stream alone and orders its lines.
    private let prefix: String
    private let lock = Lock<Void>(())
    private var stream: (any TextOutputStream)?

    @usableFromInline
    init(prefix: String, stream: (any TextOutputStream)?) {
        self.prefix = prefix.isEmpty ? "" : prefix + ": "
        self.stream = stream
    }

    @usableFromInline
    func write(_ event: String) {
        guard stream != nil else { return Swift.print(prefix + event) }
        lock.withLock { _ in stream?.write(prefix + event + "\n") }
    }
}

@usableFromInline
final class PrintSubscriber<Downstream: Subscriber>: InterceptingSubscriber<
    Downstream.Input, Downstream.Failure, Downstream
>,
@unchecked Sendable
{
    // Sound: as the base class says.
    @usableFromInline let line: PrintLine

    @inlinable
    init(_ downstream: Downstream, _ line: PrintLine) {
        self.line = line
        super.init(downstream, named: "Print")
    }

    @inlinable
    override func receive(subscription: any Subscription) {
        line.write("receive subscription: (\(subscription))")
        super.receive(subscription: subscription)
    }

    @inlinable
    override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard !outlet.isClosed else { return .none }
        line.write("receive value: (\(input))")
        let demand = outlet.send(input)
        if demand != .none { line.write("request \(Self.describe(demand)) (synchronous)") }
        return demand
    }

    @inlinable
    override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard inlet.finish() else { return }
        switch completion {
        case .finished: line.write("receive finished")
        case .failure(let error): line.write("receive error: (\(error))")
        }
        outlet.finish(completion)
    }

    @usableFromInline
    override func request(_ demand: Subscribers.Demand) {
        line.write("request \(Self.describe(demand))")
        super.request(demand)
    }

    @usableFromInline
    override func cancel() {
        outlet.close { _ in line.write("receive cancel") }
        inlet.cancel()
    }

    @usableFromInline
    static func describe(_ demand: Subscribers.Demand) -> String {
        if let max = demand.max { "max: (\(max))" } else { "unlimited" }
    }
}
