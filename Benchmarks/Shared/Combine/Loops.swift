import Dispatch

// An event with one effect and one observer: `Moonlight.start`, of this library or of MoonKit on the peer's operators.

func loops() -> [Work] {
    [
        event(.event, Small(), Small.returning) { $0.sum },
        event(.historyEvent, History(), History.returning) { $0.lines.count },
        event(.largeEvent, Large(), Large.returning) { $0.small.sum },
        laterEffect, taskEffect, producers(2), producers(8), lifetime, loopBytes,
    ]
}

/// A loop whose effects are ready, and whose events come from a subject.
private func run<State: Equatable & Sendable>(
    _ state: State, _ apply: @escaping @Sendable (State, Int) -> State, _ events: PassthroughSubject<Int, Never>,
    _ observe: @escaping (State) -> Void
) -> [AnyCancellable] {
    var observers: [AnyCancellable] = []
    let loop = Moonlight.start(
        initialState: state, environment: (),
        feedback: { states in
            observers.append(states.sink { observe($0) })
            return events.eraseToAnyPublisher()
        },
        transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
        apply: apply)
    return observers + [loop]
}

private func event<State: Equatable & Sendable>(
    _ row: Row, _ state: State, _ apply: @escaping @Sendable (State, Int) -> State,
    _ look: @escaping (State) -> Int
) -> Work {
    Work.prepared(row, library) { () -> (Int) -> Void in
        let total = total
        let events = PassthroughSubject<Int, Never>()
        let loop = run(state, apply, events) { mix(look($0), into: total) }
        return { n in withExtendedLifetime(loop) { for i in 0..<n { events.send(i) } } }
    }
}

/// Runs a loop with given effects for each event; returns when it has applied `count` of them.
private func wait(for count: Int, effects: @escaping @Sendable (Int) -> AnyPublisher<Int, Never>, answer: () -> Void = {}) {
    let done = DispatchSemaphore(value: 0)
    let events = PassthroughSubject<Int, Never>()
    var observers: [AnyCancellable] = []
    let loop = Moonlight.start(
        initialState: Small(), environment: (),
        feedback: { states in
            observers.append(states.sink { if $0.count == count { done.signal() } })
            return events.eraseToAnyPublisher()
        },
        transform: { _, event, _ in effects(event) },
        apply: Small.returning)
    for i in 0..<count {
        events.send(i)
        answer()
    }
    done.wait()
    loop.cancel()
}

private var laterEffect: Work {
    Work(.laterEffect, library) { n in
        let answers = PassthroughSubject<Int, Never>()
        wait(for: n, effects: { _ in answers.first().eraseToAnyPublisher() }, answer: { answers.send(1) })
    }
}

private var taskEffect: Work {
    Work(.taskEffect, library) { n in
        wait(
            for: n,
            effects: { event in
                Future<Int, Never> { promise in
                    Task { promise(.success(event)) }
                }.eraseToAnyPublisher()
            })
    }
}

private func producers(_ threads: Int) -> Work {
    Work.prepared(.producers(threads), library) { () -> (Int) -> Void in
        let total = total
        let events = PassthroughSubject<Int, Never>()
        let loop = run(Small(), Small.returning, events) { mix($0.sum, into: total) }
        return { n in
            withExtendedLifetime(loop) {
                onThreads(threads) { for i in 0..<(n / threads) { events.send(i) } }
            }
        }
    }
}

// 10,000 live loops: each is started, receives an event, and is cancelled.
private var lifetime: Work {
    Work(.lifetime, library) { n in
        let total = total
        for _ in 0..<(n / 10_000) {
            var loops: [[AnyCancellable]] = []
            for i in 0..<10_000 {
                let events = PassthroughSubject<Int, Never>()
                loops.append(run(Small(), Small.returning, events) { mix($0.sum, into: total) })
                events.send(i)
            }
        }
    }
}

private var loopBytes: Work {
    Work(
        .loopBytes, library,
        hold: { n in
            let total = total
            var loops: [([AnyCancellable], PassthroughSubject<Int, Never>)] = []
            loops.reserveCapacity(n)
            for _ in 0..<n {
                let events = PassthroughSubject<Int, Never>()
                loops.append((run(Small(), Small.returning, events) { mix($0.sum, into: total) }, events))
            }
            return loops
        })
}
