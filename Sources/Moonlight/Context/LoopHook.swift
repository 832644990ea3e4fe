/// An object that takes part in each step of one loop, and may hold back the loop's output.
///
/// A turn is an event with its ready effects, or a later effect. Unless it says otherwise, the loop's owner calls all of this,
/// so that it needs no lock. The journal and the counters stand at the same places; as they serve nearly every loop that has options,
/// they are called without an existential, which costs ten times as much.
@usableFromInline
package protocol LoopHook<State, Event, Effect>: AnyObject, Sendable {
    associatedtype State: Equatable
    associatedtype Event
    associatedtype Effect

    // MARK: Begin

    /// Connects the loop, which takes no events before. Events that the hook posts now come before all others.
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

    /// Notes that the effect that was prepared last was applied.
    ///
    /// - Parameter followUps: The number of events that follow from it, which the loop handles later, in order.
    func applied(followUps: Int)

    /// Notes that the event of this turn, or an effect of it, was rejected.
    func rejected(_ error: any Error)

    /// Notes that a stream of effects is to be subscribed to.
    ///
    /// - Returns: Its number, if its end is to be noted.
    /// - Throws: The reason why the stream must not be subscribed to.
    func willSubscribe(to job: JobID?, of event: Event) throws -> UInt64?

    /// Calls a closure that subscribes to a stream, with the task-local that is to be carried with the stream, if any.
    func subscribe(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void)

    /// Notes that a stream has ended.
    func ended(_ stream: UInt64)

    // MARK: Tell

    /// Returns true if the loop may publish this output now. If not, the hook keeps it, and publishes it later by ``HookedLoop/tell(_:_:)``.
    func tells(_ output: LoopOutput<State>, _ turn: Turn) -> Bool

    /// The last state that is kept; nil if none is.
    var keptState: State? { get }

    /// The number of streams that are kept.
    var keptStreams: Int { get }

    /// True if an event must wait for a stream that is kept.
    var keepsEvents: Bool { get }

    /// Returns whether only output is left that can never be published, given the number of live streams, kept ones included.
    func isStuck(liveStreams: Int) -> Bool

    /// Goes on, in the loop's turn: see ``GatedLoop/wake()`` and ``HookedLoop/wakeInTurn()``.
    func goOn(isInTurn: Bool)

    // MARK: End

    /// Ends the turn, with the state after it.
    func endTurn(_ state: UnsafePointer<State>)

    /// Ends with the loop, whose last state may not have been published. Nothing else is called afterwards.
    func end(_ state: UnsafePointer<State>)
}

/// The answer of a ``LoopHook`` to an event before `transform` is called.
@usableFromInline
package enum TurnAdmission {
    case admitted
    /// The hook keeps the event, and has the loop handle it later.
    case kept
    /// It is not taken.
    case refused(SendError)
    /// It was handled before, with this result, which is now given again.
    case repeated(SendError?)
}

/// An output of a loop.
@usableFromInline
package enum LoopOutput<State> {
    /// A state, to observers.
    case state(State)
    /// The answer, to the sender of an event.
    case answer
    /// A refusal, to those who observe them.
    case refusal(() -> Void)
    /// The subscription to a stream of effects.
    case stream(() -> Void)
}

/// A loop that can be woken.
@usableFromInline
package protocol GatedLoop: AnyObject, Sendable {
    /// Has the loop call its hook's ``LoopHook/goOn(isInTurn:)`` soon. Safe from any thread.
    func wake()
}

/// A loop, as its hook sees it. All but ``GatedLoop/wake()`` is for calls from the loop's own turn.
@usableFromInline
package protocol HookedLoop<State, Event>: GatedLoop {
    associatedtype State
    associatedtype Event

    /// True once the loop is cancelled: nothing is published any more.
    var isCancelled: Bool { get }

    /// Queues an event behind the mail.
    func post(_ event: Event, _ turn: Turn)

    /// Handles an event that the hook has kept.
    func handle(_ event: Event, _ turn: Turn)

    /// Publishes an output that the hook has kept.
    func tell(_ output: LoopOutput<State>, _ turn: Turn)

    /// Has the loop call ``LoopHook/goOn(isInTurn:)`` when the mail that is there now has been handled.
    func wakeInTurn()

    /// Notes that the hook keeps something, so that the loop neither ends nor is quiet; or that it keeps nothing any more.
    func note(isKeeping: Bool)
}
