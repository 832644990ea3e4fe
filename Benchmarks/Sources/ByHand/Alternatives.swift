import Synchronization

// Handwritten alternatives to a loop. They are thread-safe, but observers run inside the lock or the actor and cannot send, and
// effects are left to the user.

/// A noncopyable value that closures share.
final class Shared<Value: ~Copyable & Sendable>: Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
}

private actor Keeper<State: Equatable & Sendable> {
    private var state: State
    private let apply: @Sendable (State, Int) -> State
    private let observe: @Sendable (State) -> Void

    init(_ state: State, _ apply: @escaping @Sendable (State, Int) -> State, _ observe: @escaping @Sendable (State) -> Void) {
        self.state = state
        self.apply = apply
        self.observe = observe
    }

    func send(_ event: Int) {
        let next = apply(state, event)
        guard next != state else { return }
        state = next
        observe(next)
    }
}

func alternatives() -> [Work] {
    alternatives(.event, Small(), Small.returning) { $0.sum }
        + alternatives(.historyEvent, History(), History.returning) { $0.lines.count }
        + alternatives(.largeEvent, Large(), Large.returning) { $0.small.sum }
        + [actor(.producers(2), tasks: 2), actor(.producers(8), tasks: 8)]
}

private func alternatives<State: Equatable & Sendable>(
    _ row: Row, _ state: State, _ apply: @escaping @Sendable (State, Int) -> State,
    _ look: @escaping @Sendable (State) -> Int
) -> [Work] {
    [
        Work.prepared(row, .mutex) { () -> (Int) -> Void in
            let total = total
            let shared = Shared(Mutex(state))
            return { n in
                for i in 0..<n {
                    shared.value.withLock { state in
                        let next = apply(state, i)
                        guard next != state else { return }
                        state = next
                        mix(look(next), into: total)
                    }
                }
            }
        },
        actor(row, tasks: 1, state, apply, look),
    ]
}

private func actor(_ row: Row, tasks: Int) -> Work {
    actor(row, tasks: tasks, Small(), Small.returning) { $0.sum }
}

private func actor<State: Equatable & Sendable>(
    _ row: Row, tasks: Int, _ state: State, _ apply: @escaping @Sendable (State, Int) -> State,
    _ look: @escaping @Sendable (State) -> Int
) -> Work {
    Work.prepared(row, .actor) { () -> (Int) -> Void in
        // Sound: only the actor writes to it.
        nonisolated(unsafe) let total = total
        let keeper = Keeper(state, apply) { mix(look($0), into: total) }
        return { n in
            blocking {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<tasks {
                        group.addTask { for i in 0..<(n / tasks) { await keeper.send(i) } }
                    }
                }
            }
        }
    }
}
