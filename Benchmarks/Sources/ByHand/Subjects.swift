// An array of closures.

/// Whom a value is sent to.
final class Listeners<Value> {
    private var closures: [(Value) -> Void] = []

    func add(_ closure: @escaping (Value) -> Void) { closures.append(closure) }

    func send(_ value: Value) { for closure in closures { closure(value) } }
}

func subjects() -> [Work] {
    [subject(to: 1), subject(to: 10), subject(to: 100), subject(to: 1000)] + [
        Work.prepared(.subjectChain, .byHand) { () -> (Int) -> Void in
            let total = total
            let listeners = Listeners<Int>()
            listeners.add { if ($0 &+ 1) & 1 == 0 { mix(($0 &+ 1) &* 3, into: total) } }
            return { n in for i in 0..<n { listeners.send(i) } }
        },
        Work.prepared(.currentValue, .byHand) { () -> (Int) -> Void in
            let total = total
            let last = UnsafeMutablePointer<Int>.allocate(capacity: 1)
            last.initialize(to: -1)
            let listeners = Listeners<Int>()
            listeners.add {
                let value = $0 &+ 1
                if value == last.pointee { return }
                last.pointee = value
                mix(value, into: total)
            }
            return { n in for i in 0..<n { listeners.send(i >> 1) } }
        },
    ]
}

private func subject(to count: Int) -> Work {
    Work.prepared(.subject(count), .byHand) { () -> (Int) -> Void in
        let total = total
        let listeners = Listeners<Int>()
        for _ in 0..<count { listeners.add { mix($0, into: total) } }
        return { n in for i in 0..<(n / count) { listeners.send(i) } }
    }
}
