import Streams

/// A call that was made, whatever its types.
class CallRecord: @unchecked Sendable {
    // Sound: all that changes is behind the lock.

    /// What has become of a call.
    enum State {
        case waits, answered, cancelled

        var description: String {
            switch self {
            case .waits: "waits for its answer"
            case .answered: "was answered"
            case .cancelled: "was cancelled"
            }
        }
    }

    let name: String
    let description: String
    private let guarded: Lock<(state: State, isAsserted: Bool, isAwaited: Bool, ignoresCancellation: Bool)>

    init(name: String, description: String, state: State) {
        (self.name, self.description) = (name, description)
        guarded = Lock((state, false, state == .waits, false))
    }

    var state: State { guarded.withLock { $0.state } }
    var isAsserted: Bool { guarded.withLock { $0.isAsserted } }
    /// Whether the caller waits for an answer. One that was cancelled, and has no error to throw for it, goes on waiting.
    var isAwaited: Bool { guarded.withLock { $0.isAwaited } }

    /// Whether its task was cancelled, and it could take no notice, as it cannot fail.
    var ignoresCancellation: Bool { guarded.withLock { $0.ignoresCancellation } }

    func assert() { guarded.withLock { $0.isAsserted = true } }

    /// Takes down that it was cancelled.
    ///
    /// - Parameter isAwaited: Whether the caller goes on waiting for an answer.
    /// - Returns: Whether it had been waiting.
    @discardableResult
    func cancel(isAwaited: Bool = false) -> Bool {
        guarded.withLock { guarded in
            guard guarded.state == .waits else { return false }
            (guarded.state, guarded.isAwaited) = (.cancelled, isAwaited)
            return true
        }
    }

    /// Takes down that its task was cancelled, of which it takes no notice.
    func ignoreCancellation() { guarded.withLock { $0.ignoresCancellation = true } }

    /// Takes down that it was answered. One that was cancelled stays so.
    func answer() {
        guarded.withLock { guarded in
            if guarded.state == .waits { guarded.state = .answered }
            guarded.isAwaited = false
        }
    }

    /// Forgets that anybody waits: the plan is over.
    func abandon() {}
}

/// A call that was made, and how to answer it.
final class CallRecordOf<Input, Output, Failure: Error>: CallRecord, @unchecked Sendable {
    // Sound: as the base class says; inputs and closures are immutable, and answers guard themselves.
    let input: Input
    let send: (Output) -> Void
    let finish: (Failure?) -> Void

    init(
        _ call: StubCall<Input, Output, Failure>, state: State = .waits, send: @escaping (Output) -> Void,
        finish: @escaping (Failure?) -> Void
    ) {
        (input, self.send, self.finish) = (call.input, send, finish)
        super.init(name: call.stub.name, description: call.description, state: state)
    }

    func matches(_ call: StubCall<Input, Output, Failure>) -> Bool {
        name == call.stub.name && call.stub.isSame(input, call.input)
    }
}

/// The calls of a plan, in the order in which they were made.
final class CallLog: Sendable {
    private let guarded = Lock<[CallRecord]>([])

    var records: [CallRecord] { guarded.withLock { $0 } }

    func add(_ record: CallRecord) { guarded.withLock { $0.append(record) } }

    /// Those of a call, oldest first.
    func records<Input, Output, Failure>(
        of call: StubCall<Input, Output, Failure>
    ) -> [CallRecordOf<Input, Output, Failure>] {
        records.compactMap { $0 as? CallRecordOf<Input, Output, Failure> }.filter { $0.matches(call) }
    }
}
