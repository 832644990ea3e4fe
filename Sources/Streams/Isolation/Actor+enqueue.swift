extension Actor {
    /// Schedules a call on this actor, without the context of the caller: it sees neither the caller's task nor its task-locals.
    /// When this function returns, the call is in the actor's queue, ahead of all calls that are enqueued later.
    ///
    /// - Parameter call: The call.
    @usableFromInline package nonisolated func enqueue(_ call: @escaping @Sendable () -> Void) {
        // A task whose closure is isolated to the actor is enqueued there directly, not by way of the global pool. Only isolated
        // code can form such a closure: hence the cast, as in `assumeIsolated`. Sound, because nothing of the actor is used
        // before the task runs.
        let start: (isolated any Actor) -> Void = { actor in Task { withExtendedLifetime(actor, call) } }
        let startHere = UncheckedTransfer(unsafeBitCast(start, to: ((any Actor) -> Void).self))
        // A task inherits the task-locals that are bound where it is created.
        withoutTaskContext { startHere.value(self) }
    }
}
