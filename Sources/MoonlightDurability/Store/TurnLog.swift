import Moonlight

/// The log of a loop's turns. A turn is an event with its ready effects, or a later effect.
///
/// Only the loop's owner calls it, so no lock is needed.
protocol TurnLog<State, Event, Effect>: AnyObject, Sendable {
    associatedtype State: Equatable
    associatedtype Event
    associatedtype Effect

    /// Metadata that the calling sender attaches to its event.
    var requestOfCaller: (any AnyObject & Sendable)? { get }

    /// The position of current output: that of the current turn if it has entries, otherwise that of the previous one.
    var position: UInt64 { get }

    /// Returns whether output of a position may be published. If not, the loop is woken when the released position changes.
    func isReleased(_ position: UInt64) -> Bool

    /// The reason why held output cannot be released; nil if it can.
    var failureOfProgress: SendError? { get }

    /// Sets the loop to wake; nil once it has ended.
    func setLoop(_ loop: (any GatedLoop)?)

    /// Calls a closure with each left-over event. The loop handles these first.
    ///
    /// - Parameter post: Receives the event, whether it followed from an effect, and its request.
    func open(_ post: (Event, _ isFollowUp: Bool, (any AnyObject & Sendable)?) -> Void)

    /// Decides about an event before `transform` is called. If it is admitted, a turn begins.
    ///
    /// - Parameters:
    ///   - isFollowUp: True if it follows from an effect. If so, it must be admitted.
    ///   - request: The request that its sender has attached, by ``requestOfCaller``.
    func admit(_ event: Event, isFollowUp: Bool, request: (any AnyObject & Sendable)?) -> TurnAdmission

    /// Records that the event of this turn, or an effect of it, was rejected.
    func noteRejection(_ error: any Error)

    /// Encodes an effect, before it is applied.
    ///
    /// - Throws: The reason why it cannot be written. The effect is refused, as one that `apply` rejects.
    func prepare(_ effect: Effect) throws

    /// Records that the last encoded effect was applied.
    ///
    /// - Parameter followUps: The number of follow-up events, which the loop handles later, in order.
    func noteApplied(followUps: Int)

    /// Records that a stream of effects is about to be subscribed to.
    ///
    /// - Parameters:
    ///   - event: The event for which `transform` returned it.
    ///   - job: The name of the stream, if it is a job.
    /// - Returns: The number of the stream, if its end must be recorded.
    /// - Throws: The reason why the event cannot be written. The stream must not be subscribed to.
    func noteStream(of event: Event, job: JobID?) throws -> UInt64?

    /// Calls a closure that subscribes to a stream.
    ///
    /// - Parameter subscribe: Takes the task-local to carry with the stream, if any.
    func begin(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void)

    /// Records that a stream has ended.
    func noteEnd(of stream: UInt64)

    /// Ends the turn.
    ///
    /// - Parameter state: The state after it.
    func endTurn(_ state: UnsafePointer<State>)

    /// Records the end of the loop, after which nothing else is called.
    ///
    /// - Parameter state: The last state, which may be unpublished.
    func end(_ state: UnsafePointer<State>)
}
