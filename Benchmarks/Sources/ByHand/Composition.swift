// One function for the whole state.

private protocol Applying {
    associatedtype Event: Sendable
    mutating func apply(_ event: Event)
}

extension Leaf: Applying {
    mutating func apply(_ event: Int) { count &+= event }
}

extension Nest: Applying where Child: Applying {
    mutating func apply(_ event: Nested<Child.Event>) {
        switch event {
        case .child(let event): child.apply(event)
        case .others(let number): others &+= number
        }
    }
}

private func nested<State: Applying & Equatable>(
    _ row: Row, _ state: State, _ event: State.Event, _ look: @escaping (State) -> Int
) -> Work { sending([event], row, state, { $0.apply($1) }, look) }

func composition() -> [Work] {
    let (state1, event1) = (Nest(child: Leaf()), Nested.child(1))
    let (state2, event2) = (Nest(child: state1), Nested.child(event1))
    let (state3, event3) = (Nest(child: state2), Nested.child(event2))
    let (state4, event4) = (Nest(child: state3), Nested.child(event3))
    let (state5, event5) = (Nest(child: state4), Nested.child(event4))
    let (state6, event6) = (Nest(child: state5), Nested.child(event5))
    let (state7, event7) = (Nest(child: state6), Nested.child(event6))
    let (state8, event8) = (Nest(child: state7), Nested.child(event7))
    let (state9, event9) = (Nest(child: state8), Nested.child(event8))
    let (state10, event10) = (Nest(child: state9), Nested.child(event9))
    return [
        nested(.depth(0), Leaf(), 1) { $0.count },
        nested(.depth(1), state1, event1) { $0.child.count },
        nested(.depth(2), state2, event2) { $0.child.child.count },
        nested(.depth(3), state3, event3) { $0.child.child.child.count },
        nested(.depth(5), state5, event5) { $0.child.child.child.child.child.count },
        nested(.depth(10), state10, event10) { $0.child.child.child.child.child.others },
    ] + [10, 100, 1000, 10_000, 100_000].map(oneOf)
}

// In place, in an array. An observer is notified without a comparison of the other children, and must not store the state.
private func oneOf(_ count: Int) -> Work {
    Work.prepared(.width(count), .byHand) { () -> (Int) -> Void in
        let total = total
        let listeners = Listeners<Family<[Leaf]>>()
        listeners.add { mix($0.children.count, into: total) }
        var family = Family(children: [Leaf](repeating: Leaf(), count: count))
        var next = 0
        return { n in
            for _ in 0..<n {
                family.children[next].count &+= 1
                listeners.send(family)
                next += 1
                if next == count { next = 0 }
            }
        }
    }
}
