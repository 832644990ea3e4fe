import Streams
import Synchronization

/// The circumstances in which a loop handles an item: its cause, the senders that wait for it, and its sender's task-locals.
///
/// Each event is sent with one. Events and effects that are sent while the loop handles an item derive theirs from that of the
/// item.
@usableFromInline
package struct Turn: Sendable {
    /// The number of the record that caused the item; nil if it came from outside, or if no journal is kept.
    @usableFromInline var cause: Int?
    /// True if it came from outside.
    @usableFromInline var isFromOutside = false
    /// True if it is an event that follows from an effect.
    @usableFromInline package var isFollowUp = false
    /// The time at which it began to wait; none if it was handled at once, or if time is not measured.
    @usableFromInline var sent = Nanoseconds.none
    /// The duration of `transform`; none if it has not been called yet, or if time is not measured.
    @usableFromInline var transformTime = Nanoseconds.none
    /// The parts that most turns do not have. One reference, because a turn is copied often.
    @usableFromInline var attachments: Attachments?

    @inlinable
    init(cause: Int? = nil, attachments: Attachments? = nil, isFromOutside: Bool = false) {
        self.cause = cause
        self.attachments = attachments
        self.isFromOutside = isFromOutside
    }

    /// Creates the turn of a left-over event.
    package init(isFollowUp: Bool, note: (any AnyObject & Sendable)?) {
        isFromOutside = true
        self.isFollowUp = isFollowUp
        if note != nil { attachments = Attachments(note: note) }
    }

    /// The waiting senders, and the metadata and task-locals of the sender.
    @usableFromInline
    final class Attachments: Sendable {
        /// The settlement of the awaited event that has led here; all unfinished consequences of that event retain it.
        @usableFromInline let settlement: Settlement?
        /// The settlement of this event itself, which fails if the event is refused; nil if no sender waits.
        @usableFromInline let asker: Settlement?
        /// The sender's metadata for this event, for the loop's hook; not passed on.
        @usableFromInline let note: (any AnyObject & Sendable)?
        /// The sender's values of the task-locals that the loop carries.
        @usableFromInline let context: CarriedContext?

        @usableFromInline
        init(
            settlement: Settlement? = nil, asker: Settlement? = nil, note: (any AnyObject & Sendable)? = nil,
            context: CarriedContext? = nil
        ) {
            self.settlement = settlement
            self.asker = asker
            self.note = note
            self.context = context
        }
    }

    @inlinable var settlement: Settlement? { attachments?.settlement }
    @inlinable var asker: Settlement? { attachments?.asker }
    @inlinable package var note: (any AnyObject & Sendable)? { attachments?.note }
    @inlinable var context: CarriedContext? { attachments?.context }

    /// The turn of a consequence of this one that no sender awaits itself.
    @inlinable var follower: Turn { Turn(cause: cause, attachments: attachments == nil ? nil : attachmentsOfFollower) }

    @usableFromInline var attachmentsOfFollower: Attachments? {
        guard let attachments, attachments.asker != nil || attachments.note != nil else { return attachments }
        return attachments.settlement == nil && attachments.context == nil
            ? nil : Attachments(settlement: attachments.settlement, context: attachments.context)
    }

    /// Calls a closure with the carried task-locals bound.
    @inlinable
    func bind(_ call: () -> Void) {
        if let context { context.bind(call) } else { call() }
    }

    /// Adds the circumstances in which an event is sent.
    ///
    /// - Parameter asker: The settlement of a sender that waits for the event.
    @usableFromInline
    mutating func attach(asker: Settlement?, note: (any AnyObject & Sendable)?, context: CarriedContext?) {
        var settlement = settlement
        Settlement.join(&settlement, asker)
        let isEmpty = settlement == nil && note == nil && context == nil
        attachments = isEmpty ? nil : Attachments(settlement: settlement, asker: asker, note: note, context: context)
        if asker != nil { isFromOutside = true }
    }

    /// Replaces the carried task-locals.
    @usableFromInline
    mutating func attach(_ context: CarriedContext?) {
        attachments = Attachments(settlement: settlement, asker: asker, note: note, context: context)
    }

    /// Adds the turn of an event that was coalesced with this one's.
    @usableFromInline
    mutating func join(_ other: Turn) {
        isFromOutside = isFromOutside || other.isFromOutside
        guard attachments != nil || other.attachments != nil else { return }
        var settlement = settlement
        var asker = asker
        // Removed from the old turns first, because a joint settlement grows in place if nothing else retains it.
        attachments = nil
        Settlement.join(&settlement, other.settlement)
        Settlement.join(&asker, other.asker)
        // Of two senders, the later one's values are used.
        attachments = Attachments(settlement: settlement, asker: asker, context: other.context)
    }
}

// For the loop's hook.
extension Turn {
    /// True if a sender waits for the event, or for the one that has led to it.
    package var isAwaited: Bool { settlement != nil }

    /// Fails the waiting sender of this event itself, which was refused.
    @usableFromInline
    package func refuse(_ error: SendError) { asker?.fail(error) }

    /// Fails the waiting sender at once, although consequences of the event still retain the settlement.
    package mutating func endWait(_ error: SendError) {
        settlement?.fail(error)
        for outcome in settlement?.outcomes ?? [] { outcome.end() }
        asker?.decide()
        attachments = context.map { Attachments(context: $0) }
    }
}

/// A token that all unfinished consequences of an event retain. When the last of them ends, the event has settled: the token is
/// deallocated, and ends its outcome.
///
/// Events and effects in the mailbox and live streams of effects retain it, and pass it on to their consequences. So nothing
/// needs to be counted, and no early exit in the loop can forget to report.
@usableFromInline
final class Settlement: Sendable {
    /// The outcome. It outlives the settlement, so that waiting for it does not retain the settlement.
    @usableFromInline let outcome: Outcome
    private let loop: LoopContext?
    /// The stream or job whose body awaits the event; nil if the sender is something else.
    private let awaiter: EffectOrigin?
    /// The settlements that this one combines, if it was made by ``join(_:_:)``. None of them is a joint one.
    private let parts: Lock<[Settlement]>
    private var isJoint: Bool { loop == nil }

    /// Creates the settlement of an event of a loop.
    ///
    /// - Parameters:
    ///   - loop: The loop. If it is cancelled before the event has settled, the outcome is cut off.
    ///   - outcome: Reports to the sender.
    ///   - awaiter: The stream or job whose body awaits the event, if any.
    @usableFromInline
    init(of loop: LoopContext, _ outcome: Outcome = Outcome(), awaiter: EffectOrigin? = nil) {
        self.loop = loop
        self.outcome = outcome
        self.awaiter = awaiter
        parts = Lock([])
    }

    private init(joining settlements: [Settlement]) {
        loop = nil
        outcome = Outcome()
        awaiter = nil
        parts = Lock(settlements)
    }

    deinit {
        // An event that ends because its loop was cancelled has not settled.
        if loop?.isCancelled == true { outcome.cutOff() }
        outcome.end()
    }

    /// Makes a settlement that settles both. Joint settlements are not nested.
    static func join(_ one: inout Settlement?, _ other: Settlement?) {
        guard let other, other !== one else { return }
        // A joint settlement may only grow while nothing else retains it: any other owner continues for reasons of its own.
        let others = other.all
        if one?.isJoint == true, isKnownUniquelyReferenced(&one) {
            one?.parts.withLock { $0 += others }
        } else if let first = one {
            one = Settlement(joining: first.all + others)
        } else {
            one = other
        }
    }

    private var all: [Settlement] { isJoint ? parts.withLock { $0 } : [self] }

    /// Calls a closure with each settlement that this one combines.
    private func forEach(_ body: (Settlement) -> Void) {
        if isJoint { for part in all { body(part) } } else { body(self) }
    }

    /// Records that the event is being handled.
    @usableFromInline
    func begin() { forEach { $0.outcome.begin() } }

    /// The outcomes of all settlements that this one combines. Retaining them does not delay settling.
    @usableFromInline var outcomes: [Outcome] { all.map(\.outcome) }

    /// The streams and jobs whose bodies wait for the settlements that this one combines.
    @usableFromInline var awaiters: [EffectOrigin] {
        var awaiters: [EffectOrigin] = []
        forEach { if let awaiter = $0.awaiter { awaiters.append(awaiter) } }
        return awaiters
    }

    /// Reports a failure of the event. Only the first one counts.
    @usableFromInline
    func fail(_ error: SendError) { forEach { $0.outcome.fail(error) } }

    /// Reports that the event has been handled and its ready effects applied. Only the loop's owner calls this.
    @usableFromInline
    func decide() { forEach { $0.outcome.decide() } }

    /// The outcome of an event, for a waiting sender.
    @usableFromInline
    final class Outcome: Sendable {
        private struct State: Sendable {
            var waiter: CheckedContinuation<Result<Void, SendError>, Never>?
            var result = Result<Void, SendError>.success(())
            /// Set once the event is handled.
            var hasBegun = false
            /// Set once the sender need not wait any longer.
            var isOver = false
        }

        private let state = Lock(State())
        /// True if the sender waits only until its event has been decided.
        private let endsWhenDecided: Bool
        /// True if the caller waits until nothing of the loop is in flight.
        let endsWhenQuiet: Bool
        /// Reads the state when the event has been decided, if the sender requested a reading. User code.
        private let read: (@Sendable () -> Void)?

        @usableFromInline
        init(endsWhenDecided: Bool = false, endsWhenQuiet: Bool = false, read: (@Sendable () -> Void)? = nil) {
            self.endsWhenDecided = endsWhenDecided
            self.endsWhenQuiet = endsWhenQuiet
            self.read = read
        }

        @usableFromInline
        func fail(_ error: SendError) {
            state.withLock { state in
                if case .success = state.result, !state.isOver { state.result = .failure(error) }
            }
        }

        /// Records that the event has been decided.
        func decide() {
            guard endsWhenDecided else { return }
            if let read, isGood { read() }
            end()
        }

        func begin() { state.withLock { $0.hasBegun = true } }

        /// Fails because the loop was cancelled: an event that was handled has been interrupted; any other was not accepted.
        func cutOff() {
            let hasBegun = state.withLock { $0.hasBegun }
            fail(hasBegun ? .interrupted(.loopEnded) : .ended)
        }

        /// True if nothing has failed so far, and the sender must continue to wait.
        var isGood: Bool {
            state.withLock { state in
                if case .failure = state.result { return false }
                return !state.isOver
            }
        }

        /// The first failure; nil if there is none so far.
        @usableFromInline var failure: SendError? {
            state.withLock { state in
                if case .failure(let error) = state.result { error } else { nil }
            }
        }

        @usableFromInline
        func end() {
            let (waiter, result) = state.withLock { state in
                state.isOver = true
                return (state.waiter.take(), state.result)
            }
            waiter?.resume(returning: result)
        }

        /// The result; nil while the sender must wait.
        @usableFromInline var result: Result<Void, SendError>? { state.withLock { $0.isOver ? $0.result : nil } }

        /// The result, once the sender need not wait any longer or its task is cancelled.
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
