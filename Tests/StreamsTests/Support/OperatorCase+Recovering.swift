import Streams

extension OperatorCase {
    /// Operators that handle errors, keep values or observe.
    static let recovering: [OperatorCase] = [
        OperatorCase(description: "catch") { upstream, token in
            upstream.catch { sequence([token.pass(90), 91]).append(Fail(error: $0)) }.eraseToAnyPublisher()
        } model: { values, fails in
            values + (fails ? [90, 91] : [])
        },
        OperatorCase(description: "tryCatch") { upstream, token in
            upstream.tryCatch { (error: Oops) throws(Oops) -> Publishers.Sequence<[Int], Oops> in
                throw token.pass(error)
            }.eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
        OperatorCase(description: "retry(0)") { upstream, _ in
            upstream.retry(0).eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
        OperatorCase(description: "retry with a delay that gives up") { upstream, token in
            upstream.retry(3, scheduler: ImmediateScheduler.shared) { _, _ in token.pass(nil) }.eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
        OperatorCase(description: "mapError", isGuarded: false) { upstream, token in
            upstream.mapError { token.pass($0) }.eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
        OperatorCase(description: "breakpoint", isGuarded: false) { upstream, token in
            upstream.breakpoint(
                receiveSubscription: { _ in token.pass(false) }, receiveOutput: { _ in token.pass(false) },
                receiveCompletion: { _ in token.pass(false) }
            ).eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
        OperatorCase(description: "a large buffer") { upstream, token in
            upstream.buffer(size: 100, prefetch: .byRequest, whenFull: .customError { token.pass(.second) })
                .eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
        OperatorCase(description: "a small buffer, kept full") { upstream, token in
            upstream.buffer(size: 2, prefetch: .keepFull, whenFull: .customError { token.pass(.second) })
                .eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
        OperatorCase(description: "encode and decode") { upstream, token in
            upstream.encode(encoder: Plain(token: token)).decode(type: Int.self, decoder: Plain(token: token))
                .mapError { $0 as? Oops ?? .second }.eraseToAnyPublisher()
        } model: { values, _ in
            values
        },
    ]
}

/// A coder to text and back.
struct Plain: TopLevelEncoder, TopLevelDecoder {
    struct Trouble: Error, Equatable {}
    let token: Token

    func encode<T: Encodable>(_ value: T) throws -> String {
        guard let value = value as? Int, value >= 0 else { throw Trouble() }
        return String(token.pass(value))
    }

    func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
        guard let value = Int(text) as? T else { throw Trouble() }
        return token.pass(value)
    }
}
