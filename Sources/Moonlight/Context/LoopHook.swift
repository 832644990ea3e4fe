/// An object that takes part in each step of one loop, and may hold back the loop's output.
///
/// A turn is an event with its ready effects, or a later effect. Unless stated otherwise, only the loop's owner calls these
/// methods, so that they need no lock. The journal and the counters are called at the same places, but without an existential,
/// which costs ten times as much.
@usableFromInline
package protocol LoopHook<State, Event, Effect>: AnyObject, Sendable {
    associatedtype State: Equatable
    associatedtype Event
    associatedtype Effect

    // MARK: Begin

    /// Connects the loop, which accepts no events before. Events that the hook posts now precede all others.
    func connect(_ loop: any HookedLoop<State, Event>)

    /// Metadata that the calling sender attaches to its event. Called on the sender's thread.
    var noteOfCaller: (any AnyObject & Sendable)? { get }

    /// Decides about an event before `transform` is called. If the event is admitted, a turn begins.
    func begin(_ event: Event, _ turn: Turn) -> TurnAdmission

    // MARK: Applied

    /// Prepares for an effect that is about to be applied.
    ///
    /// - Throws: The reason why the effect is refused, as one that `apply` rejects.
    func prepare(_ effect: Effect) throws

    /// Called when the effect that was prepared last has been applied.
    ///
    /// - Parameter followUps: The number of events that follow from it, which the loop handles later, in order.
    func applied(followUps: Int)

    /// Called when the event of this turn, or an effect of it, was rejected.
    func rejected(_ error: any Error)

    /// Called before a stream of effects is subscribed to.
    ///
    /// - Returns: The number of the stream, if its end must be reported.
    /// - Throws: The reason why the stream must not be subscribed to.
    func willSubscribe(to job: JobID?, of event: Event) throws -> UInt64?

    /// Calls a closure that subscribes to a stream, with the task-local that the stream carries, if any.
    func subscribe(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void)

    /// Called when a stream has ended.
    func ended(_ stream: UInt64)

    // MARK: Tell

    /// Returns true if the loop may publish this output now. If not, the hook stores it, and publishes it later by
    /// ``HookedLoop/tell(_:_:)``.
    func tells(_ output: LoopOutput<State>, _ turn: Turn) -> Bool

    /// The last state that is held back; nil if none is.
    var keptState: State? { get }

    /// True if an event must wait for a stream that is held back.
    var keepsEvents: Bool { get }

    /// Returns whether all remaining output can never be published, given the number of live streams, including those held back.
    func isStuck(liveStreams: Int) -> Bool

    /// Continues, in a turn of the loop: see ``GatedLoop/wake()`` and ``HookedLoop/wakeInTurn()``.
    func goOn(isInTurn: Bool)

    // MARK: End

    /// Ends the turn, with the state after it.
    func endTurn(_ state: UnsafePointer<State>)

    /// Called at the end of the loop, whose last state may not have been published. The last call of all.
    func end(_ state: UnsafePointer<State>)
}

/// The answer of a ``LoopHook`` to an event before `transform` is called.
@usableFromInline
package enum TurnAdmission {
    case admitted
    /// The hook holds the event back, and passes it to the loop later.
    case kept
    /// The event is refused.
    case refused(SendError)
    /// The event was handled before, and this result is repeated.
    case repeated(SendError?)
}

/// An output of a loop.
@usableFromInline
package enum LoopOutput<State> {
    /// A state, to observers.
    case state(State)
    /// The answer, to the sender of an event.
    case answer
    /// A refusal, to observers.
    case refusal(() -> Void)
    /// The subscription to a stream of effects.
    case stream(() -> Void)
}

/// A loop that can be woken.
@usableFromInline
package protocol GatedLoop: AnyObject, Sendable {
    /// Makes the loop call its hook's ``LoopHook/goOn(isInTurn:)`` soon. Safe from any thread.
    func wake()
}

/// The interface of a loop to its hook. All methods but ``GatedLoop/wake()`` are for calls in a turn of the loop.
@usableFromInline
package protocol HookedLoop<State, Event>: GatedLoop {
    associatedtype State
    associatedtype Event

    /// True once the loop is cancelled, and publishes nothing more.
    var isCancelled: Bool { get }

    /// Queues an event in the mailbox; returns whether it was accepted.
    @discardableResult
    func post(_ event: Event, _ turn: Turn) -> Bool

    /// Handles an event that the hook has held back; returns whether the loop has not ended.
    @discardableResult
    func handle(_ event: Event, _ turn: Turn) -> Bool

    /// Publishes an output that the hook has held back.
    func tell(_ output: LoopOutput<State>, _ turn: Turn)

    /// Makes the loop call ``LoopHook/goOn(isInTurn:)`` when the items that are now in the mailbox have been handled.
    func wakeInTurn()

    /// Records whether the hook holds something back, so that the loop neither ends nor is quiet.
    func note(isKeeping: Bool)
}
