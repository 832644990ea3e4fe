import Streams

/// Returns a closure, marked as Sendable. It must capture nothing but Sendable values and the conformances of its types.
///
/// A closure that uses a conformance captures it, and the compiler cannot see here that the conformance is not isolated to
/// an actor.
func sendable<Input, Output>(_ closure: @escaping (Input) -> Output) -> @Sendable (Input) -> Output {
    let closure = UncheckedTransfer(closure)
    return { closure.value($0) }
}

/// Returns a closure of two inputs, marked as Sendable, under the same condition.
func sendable<A, B, Output>(_ closure: @escaping (A, B) -> Output) -> @Sendable (A, B) -> Output {
    let closure = UncheckedTransfer(closure)
    return { closure.value($0, $1) }
}

/// Returns a throwing closure of three inputs, marked as Sendable, under the same condition.
@inlinable
func sendable<A, B, C, Output>(_ closure: @escaping (A, B, C) throws -> Output) -> @Sendable (A, B, C) throws -> Output {
    let closure = UncheckedTransfer(closure)
    return { try closure.value($0, $1, $2) }
}
