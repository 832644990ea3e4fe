import Streams

/// Takes a closure for Sendable that is made of Sendable ones and of the conformances of its types.
///
/// A closure that uses a conformance carries it, and the compiler cannot tell from here that it is not bound to an actor.
func sendable<Input, Output>(_ closure: @escaping (Input) -> Output) -> @Sendable (Input) -> Output {
    let closure = UncheckedTransfer(closure)
    return { closure.value($0) }
}

/// The same for two inputs.
func sendable<A, B, Output>(_ closure: @escaping (A, B) -> Output) -> @Sendable (A, B) -> Output {
    let closure = UncheckedTransfer(closure)
    return { closure.value($0, $1) }
}

/// The same for three inputs, and an output that may fail.
@inlinable
func sendable<A, B, C, Output>(_ closure: @escaping (A, B, C) throws -> Output) -> @Sendable (A, B, C) throws -> Output {
    let closure = UncheckedTransfer(closure)
    return { try closure.value($0, $1, $2) }
}
