/// The commands of a developer, for a store that runs a reducer ``Reducer/inDevelopment(keeping:)``.
///
/// Each command goes through the loop's mailbox, as events do, and may be called on any thread. A command that names a step which is
/// not kept is refused with ``SendError/rejected(_:)``; if the step leaves between the call and its turn, it is in
/// ``Store/refusals``.
extension Store {
    /// Leaves a step out: the state becomes what it would be without it.
    ///
    /// A step that is an event is left out with all its effects. Those that are still in flight go on, for the world cannot be taken
    /// back; when they come in, they are left out, too. What other events did because of it remains. A child that is no longer
    /// there loses its effects in flight, as always.
    ///
    /// - Parameter step: The number of the step.
    /// - Returns: Success if the command was taken; otherwise the reason.
    @discardableResult
    public func skip<Whole, Inner, Effect>(_ step: Int) -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { command(.skip(step)) }

    /// Takes a step in again that was left out. Its effects are folded, not run; effects of a child that was removed with
    /// the step are not started again.
    ///
    /// - Parameter step: The number of the step.
    /// - Returns: Success if the command was taken; otherwise the reason.
    @discardableResult
    public func restore<Whole, Inner, Effect>(_ step: Int) -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { command(.restore(step)) }

    /// Shows the state after a step, as ``Development/shown``, until the next jump.
    ///
    /// The program goes on meanwhile: events are decided with ``Development/latest``, and effects in flight change it.
    ///
    /// - Parameter step: The number of the step, one of ``Development/positions``.
    /// - Returns: Success if the command was taken; otherwise the reason.
    @discardableResult
    public func jump<Whole, Inner, Effect>(to step: Int) -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { command(.jump(to: step)) }

    /// Shows the latest state again, and from now on.
    ///
    /// - Returns: Success if the command was taken; otherwise the reason.
    @discardableResult
    public func jumpToLatest<Whole, Inner, Effect>() -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { command(.jump(to: nil)) }

    /// Keeps no further steps, until ``resume()``. The program goes on.
    ///
    /// The first step that comes meanwhile, or else `resume`, lets go of the history so far, because the states after it can no longer
    /// be found from it. No step can be left out while paused.
    ///
    /// - Returns: Success if the command was taken; otherwise the reason.
    @discardableResult
    public func pause<Whole, Inner, Effect>() -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { command(.pause) }

    /// Keeps steps again, after ``pause()``; the history begins anew.
    ///
    /// - Returns: Success if the command was taken; otherwise the reason.
    @discardableResult
    public func resume<Whole, Inner, Effect>() -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { command(.resume) }

    /// Lets nothing change, for looking only, until ``unlock()``.
    ///
    /// Events are rejected. Work in flight goes on, and effects that come in wait, in order; memory grows with them. Commands of the
    /// developer are carried out.
    ///
    /// - Returns: Success if the command was taken; otherwise the reason.
    @discardableResult
    public func lock<Whole, Inner, Effect>() -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { command(.lock) }

    /// Ends ``lock()``, and folds the effects that have waited, oldest first.
    ///
    /// - Returns: Success if the command was taken; otherwise the reason.
    @discardableResult
    public func unlock<Whole, Inner, Effect>() -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { command(.unlock) }

    private func command<Whole, Inner, Effect>(_ event: DevelopmentEvent<Inner>) -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> {
        if let command = event.command, let refusal = state.refusal(of: command) { return .failure(.rejected(refusal)) }
        return send(event)
    }
}
