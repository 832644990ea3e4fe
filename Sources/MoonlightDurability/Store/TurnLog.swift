import Moonlight

/// A log of what a loop does, turn by turn: an event with its ready effects, or a later effect. Its ``GateProgress`` says which turns
/// may be published.
///
/// All of it is called by the loop's owner, so that it needs no lock.
@usableFromInline
package protocol TurnLog<State, Event, Effect>: AnyObject, Sendable {
    associatedtype State: Equatable
    associatedtype Event
    associatedtype Effect

    /// Metadata that the calling sender attaches to its event.
    var errandOfCaller: (any AnyObject & Sendable)? { get }

    /// The position of what is told now: of the present turn if it has led to anything, otherwise of the turn before it.
    var position: UInt64 { get }

    /// Whether what has a position may be told. If not, the loop is woken when more may be told.
    func isReleased(_ position: UInt64) -> Bool

    /// Why what is held can not be released; nil if it can.
    var failureOfProgress: SendError? { get }

    /// Sets the loop that is to be woken; nil once it has ended.
    func setLoop(_ loop: (any GatedLoop)?)

    /// Calls a closure with each event that was left over from before, and that the loop is to handle first.
    ///
    /// - Parameter post: Takes the event, whether it followed from an effect, and its errand.
    func open(_ post: (Event, _ isFollowUp: Bool, (any AnyObject & Sendable)?) -> Void)

    /// Decides about an event before `transform` is called. If it is admitted, a turn begins.
    ///
    /// - Parameters:
    ///   - isFollowUp: Whether an effect has led to it. If so, it must be admitted.
    ///   - errand: What its sender has said by ``errandOfCaller``.
    func admit(_ event: Event, isFollowUp: Bool, errand: (any AnyObject & Sendable)?) -> TurnAdmission

    /// Notes that the event of this turn, or an effect of it, was rejected.
    func noteRejection(_ error: any Error)

    /// Encodes an effect, before it is applied.
    ///
    /// - Throws: The reason why the log cannot have it: the effect is refused, as one that `apply` rejects.
    func prepare(_ effect: Effect) throws

    /// Notes that the effect that was encoded last was applied.
    ///
    /// - Parameter followUps: How many events follow from it, which the loop handles later, in order.
    func noteApplied(followUps: Int)

    /// Notes that a stream of effects is to be subscribed to.
    ///
    /// - Parameters:
    ///   - event: The event that has led to it.
    ///   - job: The name of the stream, if it is a job.
    /// - Returns: Its number, if its end is to be noted.
    /// - Throws: The reason why the log cannot have the event: the stream must not be subscribed to.
    func noteStream(of event: Event, job: JobID?) throws -> UInt64?

    /// Calls a closure that subscribes to a stream.
    ///
    /// - Parameter subscribe: Takes the task-local that is to be carried with the stream, if any.
    func begin(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void)

    /// Notes that a stream has ended.
    func noteEnd(of stream: UInt64)

    /// Ends the turn.
    ///
    /// - Parameter state: The state after it.
    func endTurn(_ state: UnsafePointer<State>)

    /// Notes that the loop has ended. Nothing else is called afterwards.
    ///
    /// - Parameter state: The last state, which may not have been told.
    func end(_ state: UnsafePointer<State>)
}
