// An event of a child, with an observer of the whole state.

func composition() -> [Work] {
    let (state1, event1, reducer1) = (Nest(child: Leaf()), Nested.child(1), nested(leaf))
    let (state2, event2, reducer2) = (Nest(child: state1), Nested.child(event1), nested(reducer1))
    let (state3, event3, reducer3) = (Nest(child: state2), Nested.child(event2), nested(reducer2))
    let (state4, event4, reducer4) = (Nest(child: state3), Nested.child(event3), nested(reducer3))
    let (state5, event5, reducer5) = (Nest(child: state4), Nested.child(event4), nested(reducer4))
    let (state6, event6, reducer6) = (Nest(child: state5), Nested.child(event5), nested(reducer5))
    let (state7, event7, reducer7) = (Nest(child: state6), Nested.child(event6), nested(reducer6))
    let (state8, event8, reducer8) = (Nest(child: state7), Nested.child(event7), nested(reducer7))
    let (state9, event9, reducer9) = (Nest(child: state8), Nested.child(event8), nested(reducer8))
    let (state10, event10, reducer10) = (Nest(child: state9), Nested.child(event9), nested(reducer9))
    return [
        sending(1, .depth(0), leaf, Leaf()) { $0.count },
        sending(event1, .depth(1), reducer1, state1) { $0.child.count },
        sending(event2, .depth(2), reducer2, state2) { $0.child.child.count },
        sending(event3, .depth(3), reducer3, state3) { $0.child.child.child.count },
        sending(event5, .depth(5), reducer5, state5) { $0.child.child.child.child.child.count },
        sending(event10, .depth(10), reducer10, state10) { $0.child.child.child.child.child.others },
    ] + [10, 100, 1000, 10_000, 100_000].map(oneOf)
}

private func sending<State: Sendable, Event: Sendable>(
    _ event: Event, _ row: Row, _ reducer: Reducer<State, Event, Event, Void>, _ state: State,
    _ look: @escaping (State) -> Int
) -> Work { Work.prepared(row, library) { sender([event], reducer, state, look) } }

/// Returns a closure that sends some events in turn.
private func sender<State: Sendable, Event: Sendable>(
    _ events: [Event], _ reducer: Reducer<State, Event, Event, Void>, _ state: State, _ look: @escaping (State) -> Int
) -> (Int) -> Void {
    let total = total
    let store = Store(reducer: reducer, initialState: state, environment: ())
    let observer = store.states.sink { mix(look($0), into: total) }
    var next = 0
    return { n in
        withExtendedLifetime(observer) {
            for _ in 0..<n {
                store.send(events[next])
                next += 1
                if next == events.count { next = 0 }
            }
        }
    }
}

private let leaf = Reducer<Leaf, Int, Int, Void>(
    transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
    apply: { (state: inout Leaf, effect: Int) in state.count &+= effect })

private func nested<State, Event>(
    _ child: Reducer<State, Event, Event, Void>
) -> Reducer<Nest<State>, Nested<Event>, Nested<Event>, Void> {
    child.scoped(to: \.child, event: childCase(), effect: childCase(), environment: { $0 })
}

private func childCase<Event>() -> CasePath<Nested<Event>, Event> {
    CasePath(Nested.child) { if case .child(let event) = $0 { event } else { nil } }
}

private typealias Children = IdentifiedList<Int, Leaf>

private enum FamilyEvent {
    case child(Int, Int)
    static let child = CasePath(FamilyEvent.child) { if case .child(let id, let event) = $0 { (id, event) } else { nil } }
}

private func oneOf(_ count: Int) -> Work {
    Work.prepared(.width(count), library) { () -> (Int) -> Void in
        var children = Children()
        for id in 0..<count { children.append(Leaf(), id: id) }
        let reducer: Reducer<Family<Children>, FamilyEvent, FamilyEvent, Void> = leaf.scoped(
            toEach: \.children, event: FamilyEvent.child, effect: FamilyEvent.child, environment: { $0 })
        return sender((0..<count).map { .child($0, 1) }, reducer, Family(children: children)) { $0.children.count }
    }
}
