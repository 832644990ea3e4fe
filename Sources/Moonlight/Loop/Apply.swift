/// How a loop folds an effect into the state: as the user has written it.
@usableFromInline
enum Apply<State, Effect> {
    case returning((State, Effect) -> State)
    case inPlace((inout State, Effect) -> Void)

    /// The next state.
    @inlinable @inline(__always)
    func callAsFunction(_ effect: Effect, to state: State) -> State {
        switch self {
        case .returning(let apply): return apply(state, effect)
        case .inPlace(let apply):
            var next = state
            apply(&next, effect)
            return next
        }
    }
}
