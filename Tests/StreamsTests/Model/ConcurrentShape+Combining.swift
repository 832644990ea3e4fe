import Streams

// Operators with several upstreams.
extension ConcurrentShape {
    static let combining: [ConcurrentShape] = [
        ConcurrentShape(
            description: "zip", make: { a, b, _ in a.zip(b) { $0 * 1000 - $1 }.eraseToAnyPublisher() },
            isRight: { values, count in values == (1...count).map { $0 * 1001 } }),
        ConcurrentShape(
            description: "combineLatest",
            make: { a, b, _ in a.combineLatest(b) { $0 * 1000 - $1 }.eraseToAnyPublisher() },
            isRight: { values, count in
                values.last == count * 1001 && isRising(values.map { $0 / 1000 }) && isRising(values.map { $0 % 1000 })
            }),
        ConcurrentShape(
            description: "withLatestFrom",
            make: { a, b, _ in a.withLatestFrom(b) { $0 * 1000 - $1 }.eraseToAnyPublisher() },
            isRight: { values, count in
                Set(values.map { $0 / 1000 }).count == values.count && isRising(values.map { $0 / 1000 })
                    && isRising(values.map { $0 % 1000 })
            }),
        ConcurrentShape(
            description: "prefix(untilOutputFrom:)",
            make: { a, b, _ in a.prefix(untilOutputFrom: b).eraseToAnyPublisher() },
            isRight: { values, count in values.elementsEqual((1...count).prefix(values.count)) },
            isExact: false, endOfFailing: .finished),
        ConcurrentShape(
            description: "drop(untilOutputFrom:)",
            make: { a, b, _ in a.drop(untilOutputFrom: b).eraseToAnyPublisher() },
            isRight: { values, count in values.elementsEqual((1...count).suffix(values.count)) }, hearsSecondFail: false
        ),
        ConcurrentShape(
            description: "switchToLatest",
            make: { a, b, _ in a.map { _ in b }.switchToLatest().eraseToAnyPublisher() },
            isRight: { values, count in isRising(values.map { -$0 }) && Set(values).count == values.count },
            hearsSecondFail: false, isResubscribing: true),
        ConcurrentShape(
            description: "zip of a merge and a share",
            make: { a, b, _ in
                let shared = a.merge(with: b).share()
                return shared.zip(shared) { $0 == $1 ? $0 : 0 }.eraseToAnyPublisher()
            }, isExact: false),
    ]

    private static func isRising(_ values: [Int]) -> Bool { zip(values, values.dropFirst()).allSatisfy { $0 <= $1 } }
}
