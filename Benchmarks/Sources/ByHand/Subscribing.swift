// A dictionary of closures by number.

private final class Members {
    var closures: [Int: (Int) -> Void] = [:]
    var count = 0

    func add(_ closure: @escaping (Int) -> Void) -> Int {
        count += 1
        closures[count] = closure
        return count
    }
}

func subscribing() -> [Work] {
    [subscribing(.subscribing, beside: 0), subscribing(.subscribingAmongMany, beside: 1000)] + [
        Work(
            .subscriptionBytes, .byHand,
            hold: { n in
                let total = total
                let members = Members()
                members.closures.reserveCapacity(n)
                for _ in 0..<n { _ = members.add { if $0 &+ 1 > 0 { mix($0 &+ 1, into: total) } } }
                return members
            })
    ]
}

private func subscribing(_ row: Row, beside others: Int) -> Work {
    Work.prepared(row, .byHand) { () -> (Int) -> Void in
        let total = total
        let members = Members()
        for _ in 0..<others { _ = members.add { mix($0, into: total) } }
        return { n in
            for _ in 0..<n {
                let number = members.add { if $0 &+ 1 > 0 { mix($0 &+ 1, into: total) } }
                members.closures[number] = nil
            }
        }
    }
}
