// Closures with shared state.

func combining() -> [Work] { [merge, combineLatest, zip] }

private var merge: Work {
    Work.prepared(.merge, .byHand) { () -> (Int) -> Void in
        let total = total
        let sources = (0..<4).map { _ in Listeners<Int>() }
        for source in sources { source.add { mix($0, into: total) } }
        let (a, b, c, d) = (sources[0], sources[1], sources[2], sources[3])
        return { n in
            for i in 0..<(n / 4) {
                a.send(i)
                b.send(i)
                c.send(i)
                d.send(i)
            }
        }
    }
}

private final class Latest {
    var a: Int?
    var b: Int?
    var c: Int?
}

private var combineLatest: Work {
    Work.prepared(.combineLatest, .byHand) { () -> (Int) -> Void in
        let total = total
        let (a, b, c) = (Listeners<Int>(), Listeners<Int>(), Listeners<Int>())
        let latest = Latest()
        func send() { if let a = latest.a, let b = latest.b, let c = latest.c { mix(a &+ b &+ c, into: total) } }
        a.add {
            latest.a = $0
            send()
        }
        b.add {
            latest.b = $0
            send()
        }
        c.add {
            latest.c = $0
            send()
        }
        return { n in
            for i in 0..<(n / 3) {
                a.send(i)
                b.send(i)
                c.send(i)
            }
        }
    }
}

/// Values of one side that wait for the other. Removing the first increments an index.
private struct Waiting {
    private var values: [Int] = []
    private var taken = 0

    var isEmpty: Bool { taken == values.count }

    mutating func append(_ value: Int) { values.append(value) }

    mutating func takeFirst() -> Int {
        defer {
            taken += 1
            if isEmpty {
                values.removeAll(keepingCapacity: true)
                taken = 0
            }
        }
        return values[taken]
    }
}

private var zip: Work {
    Work.prepared(.zip, .byHand) { () -> (Int) -> Void in
        let total = total
        let (a, b) = (Listeners<Int>(), Listeners<Int>())
        // Pointers, because the exclusivity checks of captured variables would cost more than the work.
        let (first, second) = (
            UnsafeMutablePointer<Waiting>.allocate(capacity: 1), UnsafeMutablePointer<Waiting>.allocate(capacity: 1)
        )
        first.initialize(to: Waiting())
        second.initialize(to: Waiting())
        func send() {
            while !first.pointee.isEmpty, !second.pointee.isEmpty {
                mix(first.pointee.takeFirst() &+ second.pointee.takeFirst(), into: total)
            }
        }
        a.add {
            first.pointee.append($0)
            send()
        }
        b.add {
            second.pointee.append($0)
            send()
        }
        return { n in
            for i in 0..<n {
                a.send(i)
                b.send(i)
            }
        }
    }
}
