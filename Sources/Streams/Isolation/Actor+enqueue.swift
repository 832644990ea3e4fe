extension Actor {
    /// Makes a call on this actor soon, in nobody's context. It is in the actor's line when this returns, before what comes there
    /// later.
    @usableFromInline package nonisolated func enqueue(_ call: @escaping @Sendable () -> Void) {
        let call = self === MainActor.shared ? watched(call) : call
        // A task goes there at once, not by way of the common pool, if its closure is isolated, and only isolated code forms such
        // a closure: hence a cast, as in `assumeIsolated`. Nothing of the actor is touched before the task runs.
        let start: (isolated any Actor) -> Void = { actor in Task { withExtendedLifetime(actor, call) } }
        let startHere = UncheckedTransfer(unsafeBitCast(start, to: ((any Actor) -> Void).self))
        // A task inherits what is bound where it is made.
        withoutTaskContext { startHere.value(self) }
    }

    /// What waits for the main actor is watched; but not where schedules are forced, as the watch looks when it likes.
    private nonisolated func watched(_ call: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        #if SCHEDULES
            return call
        #else
            let watch = MainActorWatch.current
            watch.sent()
            return {
                watch.began()
                call()
            }
        #endif
    }
}
