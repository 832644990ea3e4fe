// Operators over a sequence: each value passes all of them, and every second one passes the filter.

func chains() -> [Work] {
    let plain = [chain1, chain2, chain3, chain4, chain5, chain6, chain7, chain8, chain9, chain10]
    let erased = [(1, erasedChain1), (2, erasedChain2), (5, erasedChain5), (10, erasedChain10)]
    return plain.enumerated().map { Work(.chain($0 + 1), library, run: $1) }
        + erased.map { Work(.erasedChain($0), library, run: $1) }
        + [Work(.chainErasedThroughout, library, run: chainErasedThroughout)]
}

extension Publisher where Output == Int, Failure == Never {
    /// Consumes the values that the publisher sends during `subscribe`.
    @inline(__always)
    fileprivate func consume() {
        let total = total
        _ = sink { mix($0, into: total) }
    }
}

// Long chains are written in two halves for the type checker; their types are the same.

private func chain1(_ n: Int) {
    (0..<n).publisher.map { $0 &+ 1 }.consume()
}

private func chain2(_ n: Int) {
    (0..<n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.consume()
}

private func chain3(_ n: Int) {
    (0..<n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.consume()
}

private func chain4(_ n: Int) {
    (0..<n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.scan(0) { $0 &+ $1 }.consume()
}

private func chain5(_ n: Int) {
    (0..<n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.scan(0) { $0 &+ $1 }.map { $0 &+ 7 }.consume()
}

private func chain6(_ n: Int) {
    let half = (0..<n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.scan(0) { $0 &+ $1 }.map { $0 &+ 7 }
    half.map { $0 ^ 5 }.consume()
}

private func chain7(_ n: Int) {
    let half = (0..<n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.scan(0) { $0 &+ $1 }.map { $0 &+ 7 }
    half.map { $0 ^ 5 }.filter { $0 != 3 }.consume()
}

private func chain8(_ n: Int) {
    let half = (0..<n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.scan(0) { $0 &+ $1 }.map { $0 &+ 7 }
    half.map { $0 ^ 5 }.filter { $0 != 3 }.map { $0 &* 5 }.consume()
}

private func chain9(_ n: Int) {
    let half = (0..<n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.scan(0) { $0 &+ $1 }.map { $0 &+ 7 }
    half.map { $0 ^ 5 }.filter { $0 != 3 }.map { $0 &* 5 }.scan(0) { $0 ^ $1 }.consume()
}

private func chain10(_ n: Int) {
    let half = (0..<n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.scan(0) { $0 &+ $1 }.map { $0 &+ 7 }
    half.map { $0 ^ 5 }.filter { $0 != 3 }.map { $0 &* 5 }.scan(0) { $0 ^ $1 }.map { $0 &+ 9 }.consume()
}

// The same with one erasure in the middle, and with one after each operator.

private func erasedChain1(_ n: Int) {
    (0..<n).publisher.map { $0 &+ 1 }.eraseToAnyPublisher().consume()
}

private func erasedChain2(_ n: Int) {
    (0..<n).publisher.map { $0 &+ 1 }.eraseToAnyPublisher().filter { $0 & 1 == 0 }.consume()
}

private func erasedChain5(_ n: Int) {
    let half = (0..<n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.eraseToAnyPublisher()
    half.scan(0) { $0 &+ $1 }.map { $0 &+ 7 }.consume()
}

private func erasedChain10(_ n: Int) {
    let half = (0..<n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.scan(0) { $0 &+ $1 }.map { $0 &+ 7 }
        .eraseToAnyPublisher()
    half.map { $0 ^ 5 }.filter { $0 != 3 }.map { $0 &* 5 }.scan(0) { $0 ^ $1 }.map { $0 &+ 9 }.consume()
}

private func chainErasedThroughout(_ n: Int) {
    let first = (0..<n).publisher.map { $0 &+ 1 }.eraseToAnyPublisher()
    let half = first.filter { $0 & 1 == 0 }.eraseToAnyPublisher().map { $0 &* 3 }.eraseToAnyPublisher()
    half.scan(0) { $0 &+ $1 }.eraseToAnyPublisher().map { $0 &+ 7 }.eraseToAnyPublisher().consume()
}
