import Moonlight
import Streams

extension Program where Effect == Event, Environment == Void {
    /// Creates a program whose events change the state themselves, without effects or dependencies.
    ///
    /// ```swift
    /// try Program(0, update: { count, step in count += step }) { count, screen in
    ///     screen.add(Text("\(count)"))
    /// }
    /// .keys(["+": 1, "-": -1], quit: ["q"]).run()
    /// ```
    /// - Parameters:
    ///   - initialState: The state before any event.
    ///   - update: Changes the state. Must be pure.
    ///   - build: Adds views of a state to a screen.
    @inlinable
    public init(
        _ initialState: State, update: @escaping @Sendable (inout State, Event) -> Void, _ build: @escaping Build
    ) {
        self.init(
            Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: update),
            initialState: initialState, environment: (), build)
    }
}
