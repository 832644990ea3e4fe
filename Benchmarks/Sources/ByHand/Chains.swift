// A single `for` loop, for any number of operators.

func chains() -> [Work] {
    let lengths: [Work] = [
        chain(1) { n, total in for i in 0..<n { mix(i &+ 1, into: total) } },
        chain(2) { n, total in for i in 0..<n where (i &+ 1) & 1 == 0 { mix(i &+ 1, into: total) } },
        chain(3) { n, total in for i in 0..<n where (i &+ 1) & 1 == 0 { mix((i &+ 1) &* 3, into: total) } },
        chain(4) { n, total in sums(n) { mix($0, into: total) } },
        chain(5) { n, total in sums(n) { mix($0 &+ 7, into: total) } },
        chain(6) { n, total in sums(n) { mix(($0 &+ 7) ^ 5, into: total) } },
        chain(7) { n, total in sums(n) { if ($0 &+ 7) ^ 5 != 3 { mix(($0 &+ 7) ^ 5, into: total) } } },
        chain(8) { n, total in sums(n) { if ($0 &+ 7) ^ 5 != 3 { mix((($0 &+ 7) ^ 5) &* 5, into: total) } } },
        chain(9) { n, total in mixes(n) { mix($0, into: total) } },
        chain(10) { n, total in mixes(n) { mix($0 &+ 9, into: total) } },
    ]
    let erased: [(Row, like: Int)] = [
        (.erasedChain(1), 1), (.erasedChain(2), 2), (.erasedChain(5), 5), (.erasedChain(10), 10),
        (.chainErasedThroughout, 5),
    ]
    return lengths + erased.map { row, length in Work(row, lengths[length - 1]) }
}

extension Work {
    fileprivate init(_ row: Row, _ other: Work) {
        guard case .timed(let prepare) = other.kind else { preconditionFailure("only timed work has another name") }
        self = .prepared(row, .byHand, prepare)
    }
}

private func chain(_ length: Int, _ run: @escaping (Int, UnsafeMutablePointer<Int>) -> Void) -> Work {
    Work(.chain(length), .byHand) { n in run(n, total) }
}

@inline(__always)
private func sums(_ n: Int, _ body: (Int) -> Void) {
    var sum = 0
    for i in 0..<n where (i &+ 1) & 1 == 0 {
        sum &+= (i &+ 1) &* 3
        body(sum)
    }
}

@inline(__always)
private func mixes(_ n: Int, _ body: (Int) -> Void) {
    var last = 0
    sums(n) {
        let value = ($0 &+ 7) ^ 5
        guard value != 3 else { return }
        last ^= value &* 5
        body(last)
    }
}
