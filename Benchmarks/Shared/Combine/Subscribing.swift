// The costs of subscribing, cancelling, and staying subscribed.

func subscribing() -> [Work] {
    [
        subscribing(.subscribing, beside: 0), subscribing(.subscribingAmongMany, beside: 1000),
        Work(.oneValue, library) { n in
            let total = total
            for i in 0..<n { _ = Just(i).map { $0 &+ 1 }.flatMap { Just($0 &* 3) }.sink { mix($0, into: total) } }
        },
        Work(
            .subscriptionBytes, library,
            hold: { n in
                let total = total
                let subject = PassthroughSubject<Int, Never>()
                var sinks: [AnyCancellable] = []
                sinks.reserveCapacity(n)
                for _ in 0..<n {
                    sinks.append(subject.map { $0 &+ 1 }.filter { $0 > 0 }.sink { mix($0, into: total) })
                }
                return (subject, sinks)
            }),
    ]
}

private func subscribing(_ row: Row, beside others: Int) -> Work {
    Work.prepared(row, library) { () -> (Int) -> Void in
        let total = total
        let subject = PassthroughSubject<Int, Never>()
        let others = (0..<others).map { _ in subject.sink { mix($0, into: total) } }
        return { n in
            withExtendedLifetime(others) {
                for _ in 0..<n {
                    subject.map { $0 &+ 1 }.filter { $0 > 0 }.sink { mix($0, into: total) }.cancel()
                }
            }
        }
    }
}
