import Moonlight
import Streams

/// A recorded call of a stub, with its types erased.
@usableFromInline
package class CallRecord: @unchecked Sendable {
    // Sound: all mutable state is behind the lock.

    /// The state of a call.
    @usableFromInline
    package enum State: Sendable {
        case waits
        case answered
        case cancelled

        var description: String {
            switch self {
            case .waits: "waits for its answer"
            case .answered: "was answered"
            case .cancelled: "was cancelled"
            }
        }
    }

    package let name: String
    /// The call in Swift's notation.
    package var description: String { name }
    /// The call as Swift source, which a plan may contain.
    var source: String { name }
    /// The effect that made the call, in an exploration.
    package let mark = EffectMark.current
    private let guarded:
        Lock<(state: State, isAsserted: Bool, isFoundCancelled: Bool, isAwaited: Bool, ignoresCancellation: Bool)>

    init(name: String, state: State) {
        self.name = name
        guarded = Lock((state, false, false, state == .waits, false))
    }

    package var state: State { guarded.withLock { $0.state } }
    /// True if the plan has accounted for the call: expected, answered or ignored it, or found it cancelled.
    var isAsserted: Bool { guarded.withLock { $0.isAsserted } }
    /// True if a step of the plan has checked that the call was cancelled.
    var isFoundCancelled: Bool { guarded.withLock { $0.isFoundCancelled } }
    /// True if the caller waits for an answer. A cancelled call that cannot throw a `CancellationError` keeps waiting.
    var isAwaited: Bool { guarded.withLock { $0.isAwaited } }

    /// True if the call's task was cancelled, which the call ignored because it cannot fail.
    var ignoresCancellation: Bool { guarded.withLock { $0.ignoresCancellation } }

    /// Marks the call as accounted for.
    func assert() { guarded.withLock { $0.isAsserted = true } }

    /// Marks the call and its cancellation as accounted for.
    func assertCancelled() {
        guarded.withLock { guarded in (guarded.isAsserted, guarded.isFoundCancelled) = (true, true) }
    }

    /// Marks the call as cancelled, if it is pending.
    ///
    /// - Parameter isAwaited: True if the caller keeps waiting for an answer.
    /// - Returns: True if the call was pending.
    @discardableResult @usableFromInline
    func cancel(isAwaited: Bool = false) -> Bool {
        guarded.withLock { guarded in
            guard guarded.state == .waits else { return false }
            (guarded.state, guarded.isAwaited) = (.cancelled, isAwaited)
            return true
        }
    }

    /// Records that the call's task was cancelled, which the call ignores.
    func ignoreCancellation() { guarded.withLock { $0.ignoresCancellation = true } }

    /// Returns a closure that gives the call an answer.
    ///
    /// - Throws: An error of the answer's closure, or ``ErasedAnswerFault``.
    package func give(_ answer: ErasedAnswer) throws -> () -> Void { {} }

    /// Marks the call as answered. A cancelled call stays cancelled.
    @usableFromInline package func answer() {
        guarded.withLock { guarded in
            if guarded.state == .waits { guarded.state = .answered }
            guarded.isAwaited = false
        }
    }
}

/// A type-erased answer, which the call converts to its own type.
package enum ErasedAnswer {
    /// A value that ends the call, or one that a stream sends. The closures return a value of the given type.
    case value((Any.Type) throws -> Any)
    case sent((Any.Type) throws -> Any)
    case failure((Any.Type) throws -> Any)
    case finished
}

/// An answer that has another type than the call expects.
package struct ErasedAnswerFault: Error, CustomStringConvertible {
    package init(description: String) { self.description = description }
    package let description: String
}

/// A recorded call, with the closures that answer it.
@usableFromInline
package final class CallRecordOf<Input, Output, Failure: Error>: CallRecord, @unchecked Sendable {
    // Sound: see the base class; inputs and closures are immutable, and the closures guard their own state.
    let call: StubCall<Input, Output, Failure>
    @usableFromInline package var input: Input { call.input }
    @usableFromInline package let send: (Output) -> Void
    @usableFromInline package let finish: (Failure?) -> Void

    @usableFromInline
    init(
        _ call: StubCall<Input, Output, Failure>, state: State = .waits, send: @escaping (Output) -> Void,
        finish: @escaping (Failure?) -> Void
    ) {
        self.call = call
        self.send = send
        self.finish = finish
        super.init(name: call.stub.name, state: state)
    }

    package override var description: String { call.description }

    override var source: String { call.source }

    package override func give(_ answer: ErasedAnswer) throws -> () -> Void {
        switch answer {
        case .value(let make):
            let output = try of(Output.self, make)
            return { [self] in
                self.answer()
                send(output)
                finish(nil)
            }
        case .sent(let make):
            let output = try of(Output.self, make)
            return { [self] in send(output) }
        case .failure(let make):
            let error = try of(Failure.self, make)
            return { [self] in
                self.answer()
                finish(error)
            }
        case .finished:
            return { [self] in
                self.answer()
                finish(nil)
            }
        }
    }

    private func of<Value>(_ type: Value.Type, _ make: (Any.Type) throws -> Any) throws -> Value {
        let value = try make(type)
        guard let value = value as? Value else { throw ErasedAnswerFault(description: "\(value) is not a value of \(type)") }
        return value
    }

    /// Returns whether this is a call of the same stub with the same arguments.
    func matches(_ call: StubCall<Input, Output, Failure>) -> Bool {
        name == call.stub.name && call.stub.isSame(input, call.input)
    }
}

/// The calls of a plan's world, in the order in which they were made.
@usableFromInline
package final class CallLog: Sendable {
    private let guarded = Lock<[CallRecord]>([])

    package init() {}

    package var records: [CallRecord] { guarded.withLock { $0 } }

    @usableFromInline
    func add(_ record: CallRecord) { guarded.withLock { $0.append(record) } }

    /// Returns the records of a call, oldest first.
    func records<Input, Output, Failure>(
        of call: StubCall<Input, Output, Failure>
    ) -> [CallRecordOf<Input, Output, Failure>] {
        records.compactMap { $0 as? CallRecordOf<Input, Output, Failure> }.filter { $0.matches(call) }
    }
}

/// The number of the effect for which code runs: the calls and timers that the code makes belong to that effect.
///
/// An exploration uses it to track the inputs of each live effect. The executor on which tasks are started carries it.
package enum EffectMark {
    /// The mark of the running code; nil if it belongs to no effect.
    package static var current: Int? { (TaskPlace.executor as? MarkedExecutor)?.mark }
}

/// An executor for the tasks of one effect.
package final class MarkedExecutor: StepwiseExecutor, ReactionMarker, JobWitness, @unchecked Sendable {
    // Sound: nothing changes, and the marker of reactions is used only on the plan's thread.
    package let mark: Int
    private let base: ManualExecutor
    private let reactions: (any ReactionMarker)?
    private let onMiss: () -> Void
    private let noteJob: (JobChange, JobID) -> Void

    /// - Parameters:
    ///   - mark: The number of the effect.
    ///   - base: The executor that runs the jobs.
    ///   - reactions: Marks the reactions that are started here; nil if they are part of the effect.
    ///   - onMiss: Called when the effect cancels jobs by an id, and there are none.
    ///   - noteJob: Called when others change a job of the effect.
    package init(
        _ mark: Int, on base: ManualExecutor, reactions: (any ReactionMarker)? = nil, onMiss: @escaping () -> Void,
        noteJob: @escaping (JobChange, JobID) -> Void
    ) {
        self.mark = mark
        self.base = base
        self.reactions = reactions
        self.onMiss = onMiss
        self.noteJob = noteJob
    }

    package func note(_ change: JobChange, of id: JobID) { noteJob(change, id) }

    package func noteMiss() { onMiss() }

    package func begin(_ number: Int) { reactions?.begin(number) }

    package func marked<Event>(_ stream: AnyPublisher<Event, Never>, key: Any, of number: Int) -> AnyPublisher<Event, Never> {
        reactions?.marked(stream, key: key, of: number) ?? stream
    }

    package func enqueue(_ job: UnownedJob, on executor: any TaskExecutor) { base.enqueue(job, on: executor) }

    /// Runs a closure as code of the effect.
    package func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        try TaskPlace.$executor.withValue(self, operation: body)
    }
}
