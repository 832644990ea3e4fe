// An array of closures.

/// The receivers of a value.
final class Listeners<Value> {
    private var closures: [(Value) -> Void] = []

    func add(_ closure: @escaping (Value) -> Void) { closures.append(closure) }

    func send(_ value: Value) { for closure in closures { closure(value) } }
}

func subjects() -> [Work] {
    [1, 10, 100, 1000].flatMap { [subject(to: $0), unsafeSubject(to: $0)] } + [
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

/// A listener with a single operation.
private final class Mixer {
    private let total: UnsafeMutablePointer<Int>

    init(_ total: UnsafeMutablePointer<Int>) { self.total = total }

    func receive(_ value: Int) { mix(value, into: total) }
}

private func unsafeSubject(to count: Int) -> Work {
    Work.prepared(.subject(count), .unsafeByHand) { () -> (Int) -> Void in
        let listeners = UnsafeMutableBufferPointer<Unmanaged<Mixer>>.allocate(capacity: count)
        _ = listeners.initialize(fromContentsOf: (0..<count).map { _ in .passRetained(Mixer(total)) })
        return { n in
            for i in 0..<(n / count) { for listener in listeners { listener._withUnsafeGuaranteedRef { $0.receive(i) } } }
        }
    }
}

private func subject(to count: Int) -> Work {
    Work.prepared(.subject(count), .byHand) { () -> (Int) -> Void in
        let total = total
        let listeners = Listeners<Int>()
        for _ in 0..<count { listeners.add { mix($0, into: total) } }
        return { n in for i in 0..<(n / count) { listeners.send(i) } }
    }
}
