// Closures that share what they keep.

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
    var a, b, c: Int?
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

private final class Waiting {
    var a: [Int] = []
    var b: [Int] = []
}

private var zip: Work {
    Work.prepared(.zip, .byHand) { () -> (Int) -> Void in
        let total = total
        let (a, b) = (Listeners<Int>(), Listeners<Int>())
        let waiting = Waiting()
        func send() {
            while let one = waiting.a.first, let other = waiting.b.first {
                waiting.a.removeFirst()
                waiting.b.removeFirst()
                mix(one &+ other, into: total)
            }
        }
        a.add {
            waiting.a.append($0)
            send()
        }
        b.add {
            waiting.b.append($0)
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
