/// A publisher that replays a list of values and a completion.
public struct Record<Output, Failure: Error>: Attaching {
    /// The values and the completion.
    public let recording: Recording

    /// Creates a publisher that replays the values and the completion that a closure records.
    ///
    /// - Parameter record: Records values and a completion. Called at once.
    @inlinable public init(record: (inout Recording) -> Void) {
        var recording = Recording()
        record(&recording)
        self.recording = recording
    }

    /// Creates a publisher that replays a recording.
    @inlinable public init(recording: Recording) { self.recording = recording }

    /// Creates a publisher that replays values and a completion.
    @inlinable public init(output: [Output], completion: Subscribers.Completion<Failure>) {
        recording = Recording(output: output, completion: completion)
    }

    @inlinable package func attach(_ subscriber: some Subscriber<Output, Failure>) {
        PullSubscription.run(
            recording.output, named: "Cancelled Events", completion: recording.completion, to: subscriber)
    }

    /// A list of values and a completion, open until it has received the completion.
    public struct Recording {
        /// The type of the values.
        public typealias Input = Output
        /// The values.
        public private(set) var output: [Output] = []
        /// The completion; `finished` if none has been recorded.
        public private(set) var completion = Subscribers.Completion<Failure>.finished
        /// True while values and the completion can be recorded. Not encoded: a decoded recording is complete.
        private var isOpen = false

        /// Creates an empty recording.
        public init() { isOpen = true }

        /// Creates a complete recording.
        public init(output: [Output], completion: Subscribers.Completion<Failure>) {
            self.output = output
            self.completion = completion
        }

        /// Records a value. Traps after the completion.
        public mutating func receive(_ input: Input) {
            precondition(
                isOpen, "Recording: a value was recorded after the completion; record it before, or begin a new recording")
            output.append(input)
        }

        /// Records the completion. Traps if called twice.
        public mutating func receive(completion: Subscribers.Completion<Failure>) {
            precondition(isOpen, "Recording: the completion was recorded twice; record it once, or begin a new recording")
            self.completion = completion
            isOpen = false
        }
    }
}

extension Record: Sendable where Output: Sendable {}
extension Record.Recording: Sendable where Output: Sendable {}

extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
    private enum CodingKeys: CodingKey {
        case output
        case completion
    }
}
