/// A publisher that plays back a list of values and a completion.
public struct Record<Output, Failure: Error>: GrammaticalPublisher, Attaching {
    /// What is played back.
    public let recording: Recording

    /// Records what a closure sends, now.
    @inlinable public init(record: (inout Recording) -> Void) {
        var recording = Recording()
        record(&recording)
        self.recording = recording
    }

    /// Plays a recording.
    @inlinable public init(recording: Recording) { self.recording = recording }

    /// Plays values and a completion.
    @inlinable public init(output: [Output], completion: Subscribers.Completion<Failure>) {
        recording = Recording(output: output, completion: completion)
    }

    @inlinable func attach(_ subscriber: some Subscriber<Output, Failure>) {
        PullSubscription.run(
            recording.output, named: "Cancelled Events", completion: recording.completion, to: subscriber)
    }

    /// A list of values and a completion, open until it is given the completion.
    public struct Recording {
        /// What is recorded.
        public typealias Input = Output
        /// The values.
        public private(set) var output: [Output] = []
        /// The completion; `finished` as long as there is none.
        public private(set) var completion = Subscribers.Completion<Failure>.finished
        /// Not coded: a recording that is read is complete.
        private var isOpen = false

        /// An empty recording.
        public init() { isOpen = true }

        /// A recording that is complete.
        public init(output: [Output], completion: Subscribers.Completion<Failure>) {
            (self.output, self.completion) = (output, completion)
        }

        /// Records a value. To do so after the completion is a programming error.
        public mutating func receive(_ input: Input) {
            precondition(isOpen, "Recording: a value after the completion; record it before, or begin a new recording")
            output.append(input)
        }

        /// Records the completion. To do so twice is a programming error.
        public mutating func receive(completion: Subscribers.Completion<Failure>) {
            precondition(isOpen, "Recording: a second completion; record it once, or begin a new recording")
            (self.completion, isOpen) = (completion, false)
        }
    }
}

extension Record: Sendable where Output: Sendable {}
extension Record.Recording: Sendable where Output: Sendable {}

extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
    private enum CodingKeys: CodingKey { case output, completion }

    /// Writes the values and the completion.
    public func encode(into encoder: any Encoder) throws { try encode(to: encoder) }
}
