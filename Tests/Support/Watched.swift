import Moonlight
import Streams

/// A state with a record of its history, for properties that depend on the history.
package struct Watched<State: Equatable, Memory: Equatable>: Equatable {
    package var state: State
    package var memory: Memory

    package init(_ state: State, _ memory: Memory) {
        self.state = state
        self.memory = memory
    }
}

extension Watched: Hashable where State: Hashable, Memory: Hashable {}
extension Watched: Sendable where State: Sendable, Memory: Sendable {}

extension Reducer where State: Sendable {
    /// Returns this reducer with a record of the history beside its state, which it neither reads nor changes.
    ///
    /// - Parameter note: Changes the record, given an effect and the state before it.
    package func watched<Memory: Equatable & Sendable>(
        _ note: @escaping @Sendable (inout Memory, State, Effect) -> Void
    ) -> Reducer<Watched<State, Memory>, Event, Effect, Environment> {
        let noting = Reducer<Watched<State, Memory>, Event, Effect, Environment>(
            transform: { _, _, _ in Empty().eraseToAnyPublisher() },
            apply: { (watched: inout Watched<State, Memory>, effect: Effect) in note(&watched.memory, watched.state, effect) })
        return noting.combined(
            with: scoped(
                to: \.state, event: CasePath({ $0 }) { $0 }, effect: CasePath({ $0 }) { $0 }, environment: { $0 }, name: "watched"
            ))
    }
}
