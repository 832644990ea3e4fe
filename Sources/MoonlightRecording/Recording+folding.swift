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
    ///   - initialState: The state to show until the first effect shows the actual one.
    public func folding<Environment>(
        _ reducer: Reducer<State, Event, Effect, Environment>, from initialState: State
    ) -> Reducer<State, Event, Effect, Environment> {
        begin(with: initialState, causeHere: { nil })
        let folded = Lock((before: initialState, count: 0))
        // A fold may begin or continue with a snapshot, so the state before an effect is not always that after the previous one.
        let before = Reducer<State, Event, Effect, Environment>(
            transform: { _, _, _ in .none },
            apply: { (state: inout State, _: Effect) in
                let before = state
                discard(
                    folded.withLock { folded in
                        defer { folded.before = before }
                        return folded.before
                    })
            })
        let after = Reducer<State, Event, Effect, Environment>(
            transform: { _, _, _ in .none },
            apply: { (state: inout State, effect: Effect) in
                let (before, number) = folded.withLock { folded in
                    folded.count += 1
                    return (folded.before, folded.count)
                }
                self.take(JournalRecord(number: number, effect: effect, before: before, after: state))
                // A log is folded faster than it is encoded: wait for the encoder, so that nothing is lost.
                if number % 256 == 0 { self.flush() }
            })
        return .combine(before, reducer, after)
    }
}
