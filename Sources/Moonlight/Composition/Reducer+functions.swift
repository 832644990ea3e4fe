import Streams

// How the user's `transform` and `apply` are called.
//
// A value that is stored in an object is retained for each call that it is passed to. So a state that contains references is
// moved out of the object during a call, and moved back afterwards. Nothing accesses it meanwhile: only the owner of the loop's
// mailbox does, and items are not nested.
//
// A large state is not moved. Specialized code copies a large value for each call that it is passed to. Unspecialized code passes
// on its address only; instead it spends some 250 ns per event on looking up types.
extension Reducer {
    /// Indicates that the state is too large to copy, by the same limit as in the subject of states.
    @inlinable @inline(__always)
    static var isStateLarge: Bool { isLarge(State.self) }

    @inlinable
    static func deciding(_ transform: @escaping Transform) -> Decide {
        { state, event, environment, _ in
            if isStateLarge { return Effects(try decideWithoutCopy(state, event, environment, transform)) }
            return Effects(try state.withTaken { try transform($0, event, environment) })
        }
    }

    @inlinable
    static func folding<Failure: Error>(
        returning apply: @escaping (State, Effect) throws(Failure) -> State
    ) -> Part.Fold {
        { state, effect, _ in
            if isStateLarge { return try foldWithFewCopies(state, effect, apply) }
            let (next, isChange) = try state.withTaken {
                let next = try apply($0, effect)
                return (next, next != $0)
            }
            guard isChange else { return .none }
            state.pointee = next
            return .certain
        }
    }

    @inlinable
    static func folding<Failure: Error>(
        inPlace apply: @escaping (inout State, Effect) throws(Failure) -> Void
    ) -> Part.Fold {
        // `apply` works on a copy, so that the old state is kept if the new one is equal: an equal state may consist of other
        // objects, and an effect that changes nothing must not release the old ones.
        folding(returning: { state, effect throws(Failure) in
            var next = state
            try apply(&next, effect)
            return next
        })
    }

    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    static func decideWithoutCopy(
        _ state: UnsafeMutablePointer<State>, _ event: Event, _ environment: Environment, _ transform: Transform
    ) throws -> AnyPublisher<Effect, Never> {
        try lend(state) { try transform($0, event, environment) }
    }

    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    static func foldWithFewCopies<Failure: Error>(
        _ state: UnsafeMutablePointer<State>, _ effect: Effect, _ apply: (State, Effect) throws(Failure) -> State
    ) throws -> Change {
        let next = try lend(state) { try apply($0, effect) }
        guard lend(state, to: { $0 != next }) else { return .none }
        state.pointee = next
        return .certain
    }
}

/// Calls `body` with a value in place, borrowed instead of copied. The value must not be changed during the call.
func lend<Value: ~Copyable, Result>(
    _ value: UnsafePointer<Value>, to body: (borrowing Value) throws -> Result
) rethrows -> Result { try body(value.pointee) }

extension UnsafeMutablePointer {
    /// Calls `body` with the value. A value that contains references is moved out of the memory during the call.
    @inlinable @inline(__always)
    func withTaken<Result>(_ body: (Pointee) throws -> Result) rethrows -> Result {
        if _isPOD(Pointee.self) { return try body(pointee) }
        let value = move()
        defer { initialize(to: value) }
        return try body(value)
    }
}
