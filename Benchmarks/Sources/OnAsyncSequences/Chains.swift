// Operators over a sequence, in one task.

func chains() -> [Work] {
    let chains: [(Int, @Sendable (Int) async -> Void)] = [
        (1, chain1), (2, chain2), (3, chain3), (4, chain4), (5, chain5), (10, chain10),
    ]
    return chains.map { length, run in Work(.chain(length), .asyncSequences) { n in blocking { await run(n) } } }
}

@Sendable private func chain1(_ n: Int) async {
    let total = total
    let values = (0..<n).async.map { $0 &+ 1 }
    for await value in values { mix(value, into: total) }
}

@Sendable private func chain2(_ n: Int) async {
    let total = total
    let values = (0..<n).async.map { $0 &+ 1 }.filter { $0 & 1 == 0 }
    for await value in values { mix(value, into: total) }
}

@Sendable private func chain3(_ n: Int) async {
    let total = total
    let values = (0..<n).async.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }
    for await value in values { mix(value, into: total) }
}

@Sendable private func chain4(_ n: Int) async {
    let total = total
    let values = (0..<n).async.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.reductions(0) { $0 &+ $1 }
    for await value in values { mix(value, into: total) }
}

@Sendable private func chain5(_ n: Int) async {
    let total = total
    let values = (0..<n).async.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.reductions(0) { $0 &+ $1 }.map { $0 &+ 7 }
    for await value in values { mix(value, into: total) }
}

@Sendable private func chain10(_ n: Int) async {
    let total = total
    let half = (0..<n).async.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.reductions(0) { $0 &+ $1 }.map { $0 &+ 7 }
    let values = half.map { $0 ^ 5 }.filter { $0 != 3 }.map { $0 &* 5 }.reductions(0) { $0 ^ $1 }.map { $0 &+ 9 }
    for await value in values { mix(value, into: total) }
}
