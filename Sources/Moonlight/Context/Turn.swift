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
    package var isFollowUp = false
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
        /// The settlements of the awaited events that have led here; all unfinished consequences of those events retain them.
        let settlements: [Settlement]
        /// The settlements of this event itself, which fail if the event is refused; empty if no sender waits.
        @usableFromInline let askers: [Settlement]
        /// The sender's metadata for this event, for the loop's hook; not passed on.
        @usableFromInline let note: (any AnyObject & Sendable)?
        /// The sender's values of the task-locals that the loop carries.
        @usableFromInline let context: CarriedContext?

        init(
            settlements: [Settlement] = [], askers: [Settlement] = [], note: (any AnyObject & Sendable)? = nil,
            context: CarriedContext? = nil
        ) {
            self.settlements = settlements
            self.askers = askers
            self.note = note
            self.context = context
        }
    }

    var settlements: [Settlement] { attachments?.settlements ?? [] }
    @inlinable var askers: [Settlement] { attachments?.askers ?? [] }
    @inlinable package var note: (any AnyObject & Sendable)? { attachments?.note }
    @inlinable var context: CarriedContext? { attachments?.context }

    /// The turn of a consequence of this one that no sender awaits itself.
    @inlinable var follower: Turn { Turn(cause: cause, attachments: attachments == nil ? nil : attachmentsOfFollower) }

    @usableFromInline var attachmentsOfFollower: Attachments? {
        guard let attachments, !attachments.askers.isEmpty || attachments.note != nil else { return attachments }
        return attachments.settlements.isEmpty && attachments.context == nil
            ? nil : Attachments(settlements: attachments.settlements, context: attachments.context)
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
        var settlements = settlements
        let askers = asker.map { [$0] } ?? []
        settlements.join(askers)
        let isEmpty = settlements.isEmpty && note == nil && context == nil
        attachments = isEmpty ? nil : Attachments(settlements: settlements, askers: askers, note: note, context: context)
    }

    /// Replaces the carried task-locals.
    @usableFromInline
    mutating func attach(_ context: CarriedContext?) {
        attachments = Attachments(settlements: settlements, askers: askers, note: note, context: context)
    }

    /// Adds the turn of an event that was coalesced with this one's.
    @usableFromInline
    mutating func join(_ other: Turn) {
        isFromOutside = isFromOutside || other.isFromOutside
        guard attachments != nil || other.attachments != nil else { return }
        var settlements = settlements
        var askers = askers
        // Removed from the old turn first, so that nothing else retains the lists, which then grow in place.
        attachments = nil
        settlements.join(other.settlements)
        askers.join(other.askers)
        // Of two senders, the later one's values are used.
        attachments = Attachments(settlements: settlements, askers: askers, context: other.context)
    }
}

// For the loop's hook.
extension Turn {
    /// True if a sender waits for the event, or for the one that has led to it.
    package var isAwaited: Bool { !settlements.isEmpty }

    /// Fails the waiting sender of this event itself, which was refused.
    @usableFromInline
    package func refuse(_ error: SendError) { askers.fail(error) }

    /// Fails the waiting sender at once, although consequences of the event still retain the settlement.
    package mutating func endWait(_ error: SendError) {
        settlements.fail(error)
        for settlement in settlements { settlement.outcome.end() }
        askers.decide()
        attachments = context.map { Attachments(context: $0) }
    }
}

/// The settlements of an event and of those that were coalesced with it. Everything that the event causes retains all of them.
extension [Settlement] {
    /// Adds the settlements of another event. They are appended in place, unless something else retains the list.
    mutating func join(_ others: [Settlement]) {
        if isEmpty { self = others } else if !elementsEqual(others, by: ===) { self += others }
    }

    /// Records that the event is being handled.
    @usableFromInline
    func begin() { for settlement in self { settlement.outcome.begin() } }

    /// Reports a failure of the event. Only the first one counts.
    func fail(_ error: SendError) { for settlement in self { settlement.outcome.fail(error) } }

    /// Reports that the event has been handled and its ready effects applied. Only the loop's owner calls this.
    @usableFromInline
    func decide() { for settlement in self { settlement.outcome.decide() } }
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
    private let loop: LoopContext

    /// Creates the settlement of an event of a loop.
    ///
    /// - Parameters:
    ///   - loop: The loop. If it is cancelled before the event has settled, the outcome is cut off.
    ///   - outcome: Reports to the sender.
    @usableFromInline
    init(of loop: LoopContext, _ outcome: Outcome = Outcome()) {
        self.loop = loop
        self.outcome = outcome
    }

    // An event that ends because its loop was cancelled has not settled.
    deinit { outcome.end(with: loop) }

    /// The outcome of an event, for a waiting sender.
    @usableFromInline
    final class Outcome: Sendable {
        private struct State: Sendable {
            var waiter: CheckedContinuation<Result<Void, SendError>, Never>?
            var failure: SendError?
            /// Set once the event is handled.
            var hasBegun = false
            /// Set once the sender need not wait any longer.
            var isOver = false
            /// Set if the sender's task was cancelled before that.
            var isCancelled = false

            var result: Result<Void, SendError> {
                if isCancelled { return .failure(.cancelled(isTaken: true)) }
                return failure.map { .failure($0) } ?? .success(())
            }

            /// Only the first failure counts, and none after the end.
            mutating func fail(_ error: SendError) { if failure == nil, !isOver { failure = error } }
        }

        private let state = Lock(State())
        /// True if the sender waits only until its event has been decided.
        private let endsWhenDecided: Bool
        /// True if the caller waits until nothing of the loop is in flight.
        let endsWhenQuiet: Bool
        /// Reads the state when the event has been decided, if the sender requested a reading. User code.
        private let read: (@Sendable () -> Void)?
        private let body: EffectOrigin?

        /// Creates an outcome.
        ///
        /// - Parameter awaiter: The stream or job whose body waits until the event has settled, if any.
        @usableFromInline
        init(
            endsWhenDecided: Bool = false, endsWhenQuiet: Bool = false, awaiter: EffectOrigin? = nil,
            read: (@Sendable () -> Void)? = nil
        ) {
            self.endsWhenDecided = endsWhenDecided
            self.endsWhenQuiet = endsWhenQuiet
            self.read = read
            body = awaiter
        }

        /// The stream or job whose body waits until the event has settled; nil if the sender is something else, or no longer waits.
        var awaiter: EffectOrigin? { state.withLock { $0.isOver } ? nil : body }

        @usableFromInline
        func fail(_ error: SendError) { state.withLock { $0.fail(error) } }

        /// Records that the event has been decided.
        func decide() {
            guard endsWhenDecided else { return }
            if let read, state.withLock({ $0.failure == nil && !$0.isOver }) { read() }
            end()
        }

        func begin() { state.withLock { $0.hasBegun = true } }

        /// The first failure; nil if there is none so far.
        @usableFromInline var failure: SendError? { state.withLock { $0.failure } }

        /// The result; nil while the sender must wait.
        @usableFromInline var result: Result<Void, SendError>? { state.withLock { $0.isOver ? $0.result : nil } }

        /// Ends the wait. If the loop was cancelled, an event that was handled has been interrupted. If it has ended in any way, any
        /// other event was not accepted.
        ///
        /// - Parameter loop: The loop that the sender waits for, if its end matters.
        /// - Returns: False if the wait had ended before, perhaps because the sender's task was cancelled.
        @discardableResult
        func end(with loop: LoopContext? = nil) -> Bool {
            let isOver = loop?.isOver == true
            let isCutOff = loop?.isCancelled == true
            return end { state in
                if state.hasBegun {
                    if isCutOff { state.fail(.interrupted(.loopEnded)) }
                } else if isOver {
                    state.fail(.ended)
                }
            }
        }

        private func end(_ change: (inout State) -> Void) -> Bool {
            let (isFirst, waiter, result) = state.withLock { state in
                let isFirst = !state.isOver
                change(&state)
                state.isOver = true
                return (isFirst, state.waiter.take(), state.result)
            }
            waiter?.resume(returning: result)
            return isFirst
        }

        /// The result, once the sender need not wait any longer or its task is cancelled.
        var value: Result<Void, SendError> {
            get async {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { waiter in
                        let answer = state.withLock { state -> Result<Void, SendError>? in
                            if state.isOver { return state.result }
                            state.waiter = waiter
                            return nil
                        }
                        if let answer { waiter.resume(returning: answer) }
                    }
                } onCancel: {
                    discard(end { if !$0.isOver { $0.isCancelled = true } })
                }
            }
        }
    }
}
