import Streams

extension OperatorCase {
    /// Operators with a second upstream, which lets all values of the first pass.
    static let combining: [OperatorCase] = [
        same("zip with as much as there is") { upstream, token in
            upstream.zip(sequence(Array(0..<1_000))) { value, _ in token.pass(value) }.eraseToAnyPublisher()
        },
        same("zip of four") { upstream, token in
            let other = sequence(Array(0..<1_000))
            return upstream.zip(other, other, other) { value, _, _, _ in token.pass(value) }.eraseToAnyPublisher()
        },
        same("combineLatest with what is there") { upstream, token in
            sequence([7]).combineLatest(upstream) { token.pass($1) }.eraseToAnyPublisher()
        },
        same("withLatestFrom what is there") { upstream, token in
            upstream.withLatestFrom(sequence([7])) { value, _ in token.pass(value) }.eraseToAnyPublisher()
        },
        same("prefix until nothing") { upstream, _ in
            upstream.prefix(untilOutputFrom: Empty<Void, Never>(completeImmediately: false)).eraseToAnyPublisher()
        },
        same("drop until something is there") { upstream, _ in
            upstream.drop(untilOutputFrom: sequence([7])).eraseToAnyPublisher()
        },
    ]

    private static func same(_ name: String, apply: @escaping @Sendable (Ints, Token) -> Ints) -> OperatorCase {
        OperatorCase(description: name, apply: apply) { values, _ in values }
    }
}
