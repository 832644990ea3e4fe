// Events in an AsyncStream, and a task that applies them and notifies an observer.

func loops() -> [Work] {
    [
        events(.event, Small(), Small.returning) { $0.sum },
        events(.storeEvent, Small(), Small.returning) { $0.sum },
        events(.historyEvent, History(), History.returning) { $0.lines.count },
        events(.largeEvent, Large(), Large.returning) { $0.small.sum },
        producers(2), producers(8), steps,
    ]
}

private func apply<State: Equatable & Sendable>(
    _ events: AsyncStream<Int>, _ state: State, _ apply: @Sendable (State, Int) -> State, _ observe: (State) -> Void
) async {
    var state = state
    for await event in events {
        let next = apply(state, event)
        guard next != state else { continue }
        state = next
        observe(next)
    }
}

private func events<State: Equatable & Sendable>(
    _ row: Row, _ state: State, _ fold: @escaping @Sendable (State, Int) -> State, _ look: @escaping @Sendable (State) -> Int
) -> Work {
    Work(row, .asyncSequences) { n in
        let (events, continuation) = AsyncStream.makeStream(of: Int.self)
        blocking {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    let total = total
                    await apply(events, state, fold) { mix(look($0), into: total) }
                }
                for i in 0..<n { continuation.yield(i) }
                continuation.finish()
            }
        }
    }
}

private func producers(_ threads: Int) -> Work {
    Work(.producers(threads), .asyncSequences) { n in
        let (events, continuation) = AsyncStream.makeStream(of: Int.self)
        blocking {
            let applying = Task {
                let total = total
                await apply(events, Small(), Small.returning) { mix($0.sum, into: total) }
            }
            onThreads(threads) { for i in 0..<(n / threads) { continuation.yield(i) } }
            continuation.finish()
            await applying.value
        }
    }
}

private var steps: Work {
    Work(.steps, .asyncSequences) { n in
        let (events, continuation) = AsyncStream.makeStream(of: Int.self)
        continuation.yield(0)
        blocking {
            let total = total
            await apply(events, Small(), Small.returning) {
                mix($0.sum, into: total)
                if $0.count < n { continuation.yield($0.count) } else { continuation.finish() }
            }
        }
    }
}
