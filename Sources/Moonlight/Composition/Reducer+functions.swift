import Streams

// How the user's functions are called.
//
// What lies in an object is retained for each call that it is handed to. So a state with references in it is taken out while a
// function looks at it, and put back. Nobody looks for it meanwhile: only the owner of the loop's mailbox does, and no item is
// handled inside another.
//
// A large state stays where it is. Specialised code copies a large value for each call that it is handed to. Code that is not
// specialised knows nothing of it but its address, which it passes on; instead it spends some 250 ns an event on finding types.
extension Reducer {
    /// As for the subject that shows it.
    @inlinable @inline(__always)
    static var isStateLarge: Bool { MemberOperations<State, Never>.isLarge }

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
        // The old state is kept until it is known that the new one differs: equal, it may still consist of other objects, and none
        // of the old ones is let go of by an effect that changes nothing.
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

/// Calls with a value where it lies: what may not be copied is borrowed. It must not be changed meanwhile.
func lend<Value: ~Copyable, Result>(
    _ value: UnsafePointer<Value>, to body: (borrowing Value) throws -> Result
) rethrows -> Result { try body(value.pointee) }

extension UnsafeMutablePointer {
    /// Calls with the value; if there are references in it, it is taken out meanwhile.
    @inlinable @inline(__always)
    func withTaken<Result>(_ body: (Pointee) throws -> Result) rethrows -> Result {
        if _isPOD(Pointee.self) { return try body(pointee) }
        let value = move()
        defer { initialize(to: value) }
        return try body(value)
    }
}
