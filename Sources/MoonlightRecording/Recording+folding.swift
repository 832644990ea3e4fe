import Moonlight
import Streams

extension Recording {
    /// Returns a reducer that records each effect that it applies, for effects that are folded without a loop.
    ///
    /// For example, a durable log can be opened as a recording:
    ///
    /// ```swift
    /// let recording = Recording(of: orders, keeping: 100_000)
    /// _ = try await log.verify(recording.folding(orders, from: Orders()), from: Orders())
    /// try recording.write(to: "orders.moon")
    /// ```
    /// A log has only effects: the recording has the state after each of them, but no events and calls, and so no plan. It
    /// can be inspected, searched, compared and bisected.
    ///
    /// - Parameters:
    ///   - reducer: The reducer.
    ///   - initialState: The state before the first effect.
    public func folding<Environment>(
        _ reducer: Reducer<State, Event, Effect, Environment>, from initialState: State
    ) -> Reducer<State, Event, Effect, Environment> {
        begin(with: initialState, causeHere: { nil })
        let folded = Lock((state: initialState, count: 0))
        let watcher = Reducer<State, Event, Effect, Environment>(
            transform: { _, _, _ in .none },
            apply: { (state: inout State, effect: Effect) in
                let after = state
                let (before, number) = folded.withLock { folded in
                    let before = folded.state
                    folded = (after, folded.count + 1)
                    return (before, folded.count)
                }
                self.take(JournalRecord(number: number, effect: effect, before: before, after: after))
                // A log is folded faster than it is encoded: wait for the encoder, so that nothing is lost.
                if number % 256 == 0 { self.flush() }
            })
        return reducer.combined(with: watcher)
    }
}
