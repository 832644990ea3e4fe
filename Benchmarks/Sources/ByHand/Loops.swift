import Dispatch
import Synchronization

// A state, two functions and an observer: no queue, no lock, no streams.

final class Loop<State: Equatable, Event> {
    private(set) var state: State
    private let apply: (inout State, Event) -> Void
    private let observe: (State) -> Void

    init(_ state: State, _ apply: @escaping (inout State, Event) -> Void, _ observe: @escaping (State) -> Void) {
        self.state = state
        self.apply = apply
        self.observe = observe
    }

    func send(_ event: Event) {
        let before = state
        apply(&state, event)
        if state != before { observe(state) }
    }
}

func sending<State: Equatable, Event>(
    _ events: [Event], _ row: Row, _ state: State, _ apply: @escaping (inout State, Event) -> Void,
    _ look: @escaping (State) -> Int
) -> Work {
    Work.prepared(row, .byHand) { () -> (Int) -> Void in
        let total = total
        let loop = Loop(state, apply) { mix(look($0), into: total) }
        var next = 0
        return { n in
            for _ in 0..<n {
                loop.send(events[next])
                next += 1
                if next == events.count { next = 0 }
            }
        }
    }
}

func loops() -> [Work] {
    [
        sending([1], .event, Small(), { $0.add($1) }, { $0.sum }),
        sending([1], .storeEvent, Small(), { $0.add($1) }, { $0.sum }),
        sending([1], .journalOff, Small(), { $0.add($1) }, { _ in 0 }),
        sending([1, 2], .historyEvent, History(), { $0 = History.returning($0, $1) }, { $0.lines.count }),
        sending([1, 2], .historyEventInPlace, History(), History.inPlace, { $0.lines.count }),
        sending([1], .largeEvent, Large(), { $0.small.add($1) }, { $0.small.sum }),
        laterEffect, taskEffect, producers(2), producers(8), steps, lifetime, loopBytes,
    ]
}

private var laterEffect: Work {
    Work(.laterEffect, .byHand) { n in
        let total = total
        let loop = Loop<Small, Int>(Small(), { $0.add($1) }, { mix($0.sum, into: total) })
        var waiting: [(Int) -> Void] = []
        for _ in 0..<n {
            waiting.append { loop.send($0) }
            for answer in waiting { answer(1) }
            waiting.removeAll(keepingCapacity: true)
        }
    }
}

private var taskEffect: Work {
    Work(.taskEffect, .byHand) { n in
        let state = Shared(Mutex(Small()))
        let done = DispatchSemaphore(value: 0)
        for i in 0..<n {
            Task {
                let count = state.value.withLock { state in
                    state.add(i)
                    return state.count
                }
                if count == n { done.signal() }
            }
        }
        done.wait()
    }
}

private func producers(_ threads: Int) -> Work {
    Work.prepared(.producers(threads), .byHand) { () -> (Int) -> Void in
        let total = total
        let state = Shared(Mutex(Small()))
        return { n in
            onThreads(threads) {
                for i in 0..<(n / threads) {
                    state.value.withLock { state in
                        state.add(i)
                        mix(state.sum, into: total)
                    }
                }
            }
        }
    }
}

private var steps: Work {
    Work(.steps, .byHand) { n in
        let total = total
        var waiting: [Int] = [0]
        let loop = Loop<Small, Int>(
            Small(), { $0.add($1) },
            { state in
                mix(state.sum, into: total)
                if state.count < n { waiting.append(state.count) }
            })
        while let event = waiting.popLast() { loop.send(event) }
    }
}

private var lifetime: Work {
    Work(.lifetime, .byHand) { n in
        let total = total
        for _ in 0..<(n / 10_000) {
            var loops: [Loop<Small, Int>] = []
            for i in 0..<10_000 {
                let loop = Loop<Small, Int>(Small(), { $0.add($1) }, { mix($0.sum, into: total) })
                loops.append(loop)
                loop.send(i)
            }
        }
    }
}

private var loopBytes: Work {
    Work(
        .loopBytes, .byHand,
        hold: { n in
            let total = total
            var loops: [Loop<Small, Int>] = []
            loops.reserveCapacity(n)
            for _ in 0..<n { loops.append(Loop<Small, Int>(Small(), { $0.add($1) }, { mix($0.sum, into: total) })) }
            return loops
        })
}
