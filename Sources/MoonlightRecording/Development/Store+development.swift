import Moonlight

// The commands of a developer, for a store that runs a reducer with its history.
//
// Each command goes through the loop's mailbox, as events do, and may be sent from any thread. A command for a step that is
// not kept is rejected with `SendError.rejected`; if the step is dropped before the command is handled, the command is in
// `Store.refusals`.
extension Store {
    /// Skips a step: the state becomes what it would be without it.
    ///
    /// An event is skipped with all its effects. Effects that are still in flight continue, and are skipped when they arrive.
    /// The consequences that the event had for other events remain. The effects in flight of a child that is removed are
    /// cancelled.
    ///
    /// - Parameter step: The number of the step.
    /// - Returns: Success if the command was accepted; otherwise the reason.
    @discardableResult
    public func skip<Whole, Inner, Effect>(_ step: Int) -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { send(.skip(step)) }

    /// Restores a skipped step. Its effects are folded, not run; effects of a child that was removed with the step are not
    /// started again.
    ///
    /// - Parameter step: The number of the step.
    /// - Returns: Success if the command was accepted; otherwise the reason.
    @discardableResult
    public func restore<Whole, Inner, Effect>(_ step: Int) -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { send(.restore(step)) }

    /// Displays the state after a step, as ``Development/displayed``, until the next jump.
    ///
    /// The program continues: events are decided with ``Development/latest``, and effects in flight change it.
    ///
    /// - Parameter step: The number of the step, one of ``Development/positions``.
    /// - Returns: Success if the command was accepted; otherwise the reason.
    @discardableResult
    public func jump<Whole, Inner, Effect>(to step: Int) -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { send(.jump(to: step)) }

    /// Displays the latest state again.
    ///
    /// - Returns: Success if the command was accepted; otherwise the reason.
    @discardableResult
    public func jumpToLatest<Whole, Inner, Effect>() -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { send(.jump(to: nil)) }

    /// Stops keeping steps, until ``resume()``. The program continues.
    ///
    /// The next step, or otherwise `resume`, drops the history so far, because later states can no longer be derived from it.
    /// No step can be skipped while the history is paused.
    ///
    /// - Returns: Success if the command was accepted; otherwise the reason.
    @discardableResult
    public func pause<Whole, Inner, Effect>() -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { send(.pause) }

    /// Resumes keeping steps after ``pause()``, with a new history.
    ///
    /// - Returns: Success if the command was accepted; otherwise the reason.
    @discardableResult
    public func resume<Whole, Inner, Effect>() -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { send(.resume) }

    /// Locks the state until ``unlock()``.
    ///
    /// Events are rejected. Work in flight continues, and effects that arrive are held, in order; memory grows with them.
    /// Commands of the developer are executed.
    ///
    /// - Returns: Success if the command was accepted; otherwise the reason.
    @discardableResult
    public func lock<Whole, Inner, Effect>() -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { send(.lock) }

    /// Ends ``lock()``, and folds the held effects, oldest first.
    ///
    /// - Returns: Success if the command was accepted; otherwise the reason.
    @discardableResult
    public func unlock<Whole, Inner, Effect>() -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> { send(.unlock) }

    private func send<Whole, Inner, Effect>(_ command: DevelopmentCommand) -> Result<Void, SendError>
    where State == Development<Whole, Inner, Effect>, Event == DevelopmentEvent<Inner> {
        if let refusal = state.refusal(of: command) { return .failure(.rejected(refusal)) }
        return send(.command(command))
    }
}
