import Streams

// Operators that handle failures, and operators that keep values.
extension ConcurrentShape {
    static let recovering: [ConcurrentShape] = [
        ConcurrentShape(
            description: "buffer",
            make: { a, b, _ in
                a.merge(with: b).buffer(size: 1_000, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
            }),
        ConcurrentShape(
            description: "buffer that keeps full",
            make: { a, b, _ in
                a.merge(with: b).buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher()
            },
            // It requests a few values at a time, and a subject drops values without demand.
            isRight: { values, _ in
                let (own, others) = (values.filter { $0 > 0 }, values.filter { $0 < 0 })
                return own == Set(own).sorted() && others == Set(others).sorted().reversed()
            }),
        ConcurrentShape(
            description: "share(replay:)", make: { a, _, _ in a.share(replay: 2).eraseToAnyPublisher() },
            isOneUpstream: true, isExact: false),
        ConcurrentShape(
            description: "retry", make: { a, _, _ in a.retry(2).eraseToAnyPublisher() }, isOneUpstream: true),
        ConcurrentShape(
            description: "catch", make: { a, b, _ in a.catch { _ in b }.eraseToAnyPublisher() },
            isRight: { values, count in values == Array(1...count) }, hearsSecondFail: false),
    ]
}
