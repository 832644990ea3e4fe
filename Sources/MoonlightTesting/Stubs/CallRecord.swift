import Streams

/// A recorded call of a stub, with its types erased.
package class CallRecord: @unchecked Sendable {
    // Sound: all mutable state is behind the lock.

    /// The state of a call.
    package enum State {
        case waits, answered, cancelled

        var description: String {
            switch self {
            case .waits: "waits for its answer"
            case .answered: "was answered"
            case .cancelled: "was cancelled"
            }
        }
    }

    package let name: String
    package let description: String
    /// The effect that made the call, in an exploration.
    package let mark = EffectMark.current
    private let guarded: Lock<(state: State, isAsserted: Bool, isAwaited: Bool, ignoresCancellation: Bool)>

    init(name: String, description: String, state: State) {
        (self.name, self.description) = (name, description)
        guarded = Lock((state, false, state == .waits, false))
    }

    package var state: State { guarded.withLock { $0.state } }
    /// Whether the plan has accounted for the call: it has expected, answered or ignored it, or found it cancelled.
    var isAsserted: Bool { guarded.withLock { $0.isAsserted } }
    /// Whether the caller waits for an answer. A cancelled call that cannot throw a `CancellationError` goes on waiting.
    var isAwaited: Bool { guarded.withLock { $0.isAwaited } }

    /// Whether the call's task was cancelled, which the call ignored because it cannot fail.
    var ignoresCancellation: Bool { guarded.withLock { $0.ignoresCancellation } }

    /// Marks the call as accounted for.
    func assert() { guarded.withLock { $0.isAsserted = true } }

    /// Marks the call as cancelled, if it waits.
    ///
    /// - Parameter isAwaited: Whether the caller goes on waiting for an answer.
    /// - Returns: Whether the call was waiting.
    @discardableResult
    func cancel(isAwaited: Bool = false) -> Bool {
        guarded.withLock { guarded in
            guard guarded.state == .waits else { return false }
            (guarded.state, guarded.isAwaited) = (.cancelled, isAwaited)
            return true
        }
    }

    /// Records that the call's task was cancelled, which the call ignores.
    func ignoreCancellation() { guarded.withLock { $0.ignoresCancellation = true } }

    /// Marks the call as answered. A cancelled call stays cancelled.
    package func answer() {
        guarded.withLock { guarded in
            if guarded.state == .waits { guarded.state = .answered }
            guarded.isAwaited = false
        }
    }
}

/// A recorded call, with the closures that answer it.
package final class CallRecordOf<Input, Output, Failure: Error>: CallRecord, @unchecked Sendable {
    // Sound: as the base class says; inputs and closures are immutable, and what the closures answer guards itself.
    package let input: Input
    package let send: (Output) -> Void
    package let finish: (Failure?) -> Void

    init(
        _ call: StubCall<Input, Output, Failure>, state: State = .waits, send: @escaping (Output) -> Void,
        finish: @escaping (Failure?) -> Void
    ) {
        (input, self.send, self.finish) = (call.input, send, finish)
        super.init(name: call.stub.name, description: call.description, state: state)
    }

    /// Returns whether this is a call of the same stub with the same arguments.
    func matches(_ call: StubCall<Input, Output, Failure>) -> Bool {
        name == call.stub.name && call.stub.isSame(input, call.input)
    }
}

/// The calls of a plan's world, in the order in which they were made.
package final class CallLog: Sendable {
    private let guarded = Lock<[CallRecord]>([])

    package init() {}

    package var records: [CallRecord] { guarded.withLock { $0 } }

    func add(_ record: CallRecord) { guarded.withLock { $0.append(record) } }

    /// Returns the records of a call, oldest first.
    func records<Input, Output, Failure>(
        of call: StubCall<Input, Output, Failure>
    ) -> [CallRecordOf<Input, Output, Failure>] {
        records.compactMap { $0 as? CallRecordOf<Input, Output, Failure> }.filter { $0.matches(call) }
    }
}
