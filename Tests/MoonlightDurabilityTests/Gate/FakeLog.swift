import Streams

@testable import Moonlight
@testable import MoonlightDurability

/// A log that records its calls. Its position is the number of turns with effects.
final class FakeLog: TurnLog, Sendable {
    typealias State = Int
    typealias Event = GatedEvent
    typealias Effect = Int

    private struct Calls: Sendable {
        var notes: [String] = []
        var position: UInt64 = 0
        var hasApplied = false
        var prepared = 0
    }

    let progress = GateProgress()
    private let calls = Lock(Calls())
    private let leftOver: [GatedEvent]
    private let answer: @Sendable (GatedEvent) -> TurnAdmission
    private let around: @Sendable ((CarriedLocal?) -> Void) -> Void
    private let unwritable: Set<Int>
    private let writesStreams: Bool

    /// - Parameters:
    ///   - leftOver: The left-over events.
    ///   - answer: Decides whether an event is admitted.
    ///   - around: Calls a closure that subscribes to a stream.
    ///   - unwritable: The effects that it refuses.
    ///   - writesStreams: True if it writes streams.
    init(
        leftOver: [GatedEvent] = [], answer: @escaping @Sendable (GatedEvent) -> TurnAdmission = { _ in .admitted },
        around: @escaping @Sendable ((CarriedLocal?) -> Void) -> Void = { $0(nil) },
        unwritable: Set<Int> = [], writesStreams: Bool = true
    ) {
        self.leftOver = leftOver
        self.answer = answer
        self.around = around
        self.unwritable = unwritable
        self.writesStreams = writesStreams
    }

    var notes: [String] { calls.withLock { $0.notes } }
    var position: UInt64 { calls.withLock { $0.position } }
    var requestOfCaller: (any AnyObject & Sendable)? { nil }

    func isReleased(_ position: UInt64) -> Bool { progress.isReleased(position) }
    var failureOfProgress: SendError? { progress.failure }
    func setLoop(_ loop: (any GatedLoop)?) { progress.setLoop(loop) }

    private func note(_ note: String) { calls.withLock { $0.notes.append(note) } }

    func open(_ post: (GatedEvent, Bool, (any AnyObject & Sendable)?) -> Void) {
        for event in leftOver { post(event, false, nil) }
    }

    func admit(_ event: GatedEvent, isFollowUp: Bool, request: (any AnyObject & Sendable)?) -> TurnAdmission {
        note("\(event)")
        return answer(event)
    }

    func noteRejection(_ error: any Error) { note("rejected") }

    func prepare(_ effect: Int) throws {
        if unwritable.contains(effect) { throw Rejection("\(effect) is not written") }
        calls.withLock { $0.prepared = effect }
    }

    func noteApplied(followUps: Int) {
        calls.withLock { calls in
            if !calls.hasApplied { calls.position += 1 }
            calls.hasApplied = true
            calls.notes.append("applied \(calls.prepared)" + (followUps == 0 ? "" : ", \(followUps) follow"))
        }
    }

    func noteStream(of event: GatedEvent, job: JobID?) throws -> UInt64? {
        if !writesStreams { throw Rejection("no stream is written") }
        note("stream of \(event)")
        return 7
    }

    func begin(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void) {
        note("begins \(stream)")
        around(subscribe)
    }

    func noteEnd(of stream: UInt64) { note("ends \(stream)") }

    func endTurn(_ state: UnsafePointer<Int>) {
        let state = state.pointee
        calls.withLock { calls in
            if calls.hasApplied { calls.notes.append("turn: \(state)") }
            calls.hasApplied = false
        }
    }

    func end(_ state: UnsafePointer<Int>) { note("end: \(state.pointee)") }
}

enum GatedEvent: Sendable, CustomStringConvertible {
    case add(Int)
    case stream(AnyPublisher<Int, Never>)
    case refused
    /// A job of the queue "q".
    case queued(@Sendable () -> AnyPublisher<Int, Never>)

    var description: String {
        switch self {
        case .add(let number): "add \(number)"
        case .stream: "stream"
        case .refused: "refused"
        case .queued: "queued"
        }
    }
}

/// A store of numbers behind a gate.
func gatedStore(
    _ log: FakeLog, _ options: LoopOptions<Int, GatedEvent, Int> = LoopOptions(),
    feedback: (AnyPublisher<Int, Never>) -> [AnyPublisher<GatedEvent, Never>] = { _ in [] }
) -> Store<Int, GatedEvent> {
    var options = options
    options.hook = OutputGate(log)
    return Store(
        reducer: Reducer(
            transform: { (_, event, _) -> AnyPublisher<Int, Never> in
                switch event {
                case .add(let number): return .just(number)
                case .stream(let stream): return stream
                case .queued(let stream): return stream().job("q", .queue).eraseToAnyPublisher()
                case .refused: throw Rejection("no")
                }
            }, apply: { $0 += $1 }),
        initialState: 0, environment: (), options: options, feedback: feedback)
}

extension Result<Void, SendError> {
    /// The outcome as one word.
    var word: String {
        switch self {
        case .success: "settled"
        case .failure(.ended): "ended"
        case .failure(.overflow): "overflow"
        case .failure(.draining): "draining"
        case .failure(.rejected(let error)): "rejected \(error)"
        case .failure(let error): "\(error)"
        }
    }
}
