import Streams
import Synchronization

/// Tells when nothing that an event has caused goes on any more: that is when nobody holds this.
///
/// Events in the mailbox, live streams of effects and waiting effects hold it, and pass it on to what they cause. So it
/// needs no counting, and cannot be forgotten by a path through the loop that ends early.
@usableFromInline
final class Settlement: Sendable {
    /// Outlives the settlement, so that who waits needs not keep the settlement itself.
    @usableFromInline let outcome: Outcome
    private let loop: LoopCancellation?
    /// The stream or job whose body waits; nil if it is somebody else.
    private let awaiter: EffectOrigin?
    /// Those that this one stands for, if it was made by ``join(_:_:)``. None of them is a joint one.
    private let parts: Lock<[Settlement]>
    private let isJoint: Bool

    /// What settles when an event of this loop has.
    ///
    /// - Parameter outcome: What who waits is told: a ``Decision`` if that is all that is waited for.
    init(of loop: LoopCancellation, _ outcome: Outcome = Outcome(), awaiter: EffectOrigin? = nil) {
        self.loop = loop
        self.outcome = outcome
        self.awaiter = awaiter
        parts = Lock([])
        isJoint = false
    }

    private init(joining settlements: [Settlement]) {
        (loop, outcome, awaiter) = (nil, Outcome(), nil)
        parts = Lock(settlements)
        isJoint = true
    }

    deinit {
        // What goes on no more because its loop was cancelled has not settled.
        if loop?.isCancelled == true { outcome.cutOff() }
        outcome.end()
    }

    /// Makes one that settles both. However many are joined, one after the other, they lie flat.
    static func join(_ one: inout Settlement?, _ other: Settlement?) {
        guard let other, other !== one else { return }
        // Nobody else may see that more is joined: what they hold goes on for other reasons.
        if one?.isJoint == true, isKnownUniquelyReferenced(&one) {
            let others = other.all
            one?.parts.withLock { $0 += others }
        } else if let first = one {
            one = Settlement(joining: first.all + other.all)
        } else {
            one = other
        }
    }

    private var all: [Settlement] { isJoint ? parts.withLock { $0 } : [self] }

    /// The event is being handled.
    @usableFromInline
    func begin() {
        outcome.begin()
        if isJoint { for part in all { part.begin() } }
    }

    /// What is told when everything has settled, of all that this one stands for. To keep these keeps nothing waiting.
    @usableFromInline var outcomes: [Outcome] { all.map(\.outcome) }

    /// The streams and jobs whose bodies wait until all of it has settled.
    @usableFromInline var awaiters: [EffectOrigin] { isJoint ? all.compactMap(\.awaiter) : awaiter.map { [$0] } ?? [] }

    /// Tells who waits that the event failed. The first failure counts.
    @usableFromInline
    func fail(_ error: SendError) {
        outcome.fail(error)
        for part in parts.withLock({ $0 }) { part.fail(error) }
    }

    /// The event has been handled, and what lay ready applied: tells who waits for that. The owner's of the loop to call.
    @usableFromInline
    func decide() {
        outcome.decide()
        if isJoint { for part in all { part.decide() } }
    }

    /// What is told, for one who waits until the event has been decided about, and no longer.
    final class Decision: Outcome, @unchecked Sendable {
        // Sound: immutable.

        /// Reads the state, if somebody asked for that. Calls the user.
        private let read: (@Sendable () -> Void)?

        init(read: (@Sendable () -> Void)?) { self.read = read }

        override func decide() {
            if let read, isGood { read() }
            end()
        }
    }

    /// What came of it, for one who waits.
    @usableFromInline
    class Outcome: @unchecked Sendable {
        // Sound: the state is behind its lock. What inherits it answers for itself.
        private struct State: Sendable {
            var waiter: CheckedContinuation<Result<Void, SendError>, Never>?
            var result = Result<Void, SendError>.success(())
            /// Whether the event has been handled; whether there is nothing more to wait for.
            var (hasBegun, isOver) = (false, false)
        }

        private let state = Lock(State())

        @usableFromInline
        func fail(_ error: SendError) {
            state.withLock { state in
                if case .success = state.result, !state.isOver { state.result = .failure(error) }
            }
        }

        /// The event has been decided about.
        func decide() {}

        func begin() { state.withLock { $0.hasBegun = true } }

        /// The loop was cancelled: what has been handled was cut off, what has not was never taken.
        func cutOff() {
            let hasBegun = state.withLock { $0.hasBegun }
            fail(hasBegun ? .interrupted(.loopEnded) : .ended)
        }

        /// Whether nothing has failed so far, and it is not over.
        var isGood: Bool {
            state.withLock { state in
                if case .failure = state.result { return false }
                return !state.isOver
            }
        }

        /// What has failed so far.
        @usableFromInline var failure: SendError? {
            state.withLock { state in
                if case .failure(let error) = state.result { error } else { nil }
            }
        }

        func end() {
            let (waiter, result) = state.withLock { state in
                state.isOver = true
                return (state.waiter.take(), state.result)
            }
            waiter?.resume(returning: result)
        }

        /// What came of it, if it is over.
        @usableFromInline var result: Result<Void, SendError>? { state.withLock { $0.isOver ? $0.result : nil } }

        /// Returns when it is over, or the task is cancelled.
        var value: Result<Void, SendError> {
            get async {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { waiter in
                        let answer = state.withLock { state -> Result<Void, SendError>? in
                            if state.isOver { return state.result }
                            if Task.isCancelled { return .failure(.cancelled(isTaken: true)) }
                            state.waiter = waiter
                            return nil
                        }
                        if let answer { waiter.resume(returning: answer) }
                    }
                } onCancel: {
                    state.withLock { $0.waiter.take() }?.resume(returning: .failure(.cancelled(isTaken: true)))
                }
            }
        }
    }
}
