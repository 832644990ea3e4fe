import Streams

// How a loop deals with a large state.
//
// Specialised code copies a large value for each call that it is handed to. Code that is not specialised knows nothing of it
// but its address, which it passes on; instead it spends some 250 ns an event on finding types.
extension Loop {
    /// As for the subject that shows it.
    @inlinable @inline(__always)
    static var isStateLarge: Bool { MemberOperations<State, Never>.isLarge }

    /// Folds an effect into the state, and shows it: as ``fold(_:_:)`` does.
    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    func foldWithFewCopies(_ effect: Effect, into program: Program, _ look: (State, State) -> Void) {
        let next = lend(&program.state) { program.apply(effect, to: $0) }
        let isChange = lend(&program.state) { $0 != next } && !cancellation.isCancelled
        lend(&program.state) { look($0, next) }
        guard isChange else { return }
        program.state = next
        states?.sendDriven(next)
    }
}

extension Loop.Program {
    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    func transformWithoutCopy(_ event: Event) throws -> AnyPublisher<Effect, Never> {
        try lend(&state) { try transform($0, event, environment) }
    }
}

/// Calls with a value where it lies: what may not be copied is borrowed. It must not be changed meanwhile.
private func lend<Value: ~Copyable, Result>(
    _ value: inout Value, to body: (borrowing Value) throws -> Result
) rethrows -> Result {
    try withUnsafePointer(to: &value) { try body($0.pointee) }
}
