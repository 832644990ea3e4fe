import Foundation
import Moonlight
import Streams

private enum Event: Sendable { case add(Int), search(Int), watch(Int), tick }

private struct State: Equatable, Sendable {
    var sum = 0
    var found = 0
    var watched: Set<Int> = []
}

/// A loop that is fed by four threads, with jobs that replace each other, reactions that come and go, timers, observers that
/// come and go, and a journal: its memory must stay as it was after the first tenth.
func soak(seconds: Int) {
    let scheduler = ClockScheduler(ContinuousClock())
    let lines = Tally()
    let store = Store<State, Event>(
        initialState: State(), environment: (),
        options: LoopOptions(journal: { _ in lines.add(1) }, inbox: .dropOldest(1_000)),
        feedback: { states in
            [
                states.react(toEach: \.watched) { key in Just(Event.add(key)) },
                TimerPublisher(every: .milliseconds(10), on: scheduler).autoconnect().map { _ in Event.tick }
                    .eraseToAnyPublisher(),
            ]
        },
        transform: { _, event, _ in
            if case .search(let number) = event {
                return Just(event).delay(for: .milliseconds(number % 20), scheduler: scheduler).job("search", .latest)
                    .eraseToAnyPublisher()
            }
            return Just(event).eraseToAnyPublisher()
        },
        apply: { (state: inout State, event: Event) in
            switch event {
            case .add(let number): state.sum &+= number
            case .search: state.found += 1
            case .watch(let key): if state.watched.remove(key) == nil { state.watched.insert(key) }
            case .tick: state.sum = 0
            }
        })
    let isOver = Tally()
    for number in 0..<4 {
        Thread.detachNewThread {
            var round = number
            while isOver.value == 0 {
                round += 1
                store.send(.add(round % 7))
                if round % 50 == 0 { store.send(.search(round)) }
                if round % 20 == 0 { store.send(.watch(round % 64)) }
                if round % 100 == 0 { _ = store.states.sink { _ in } }
                if round % 200 == 0 { Thread.sleep(forTimeInterval: 0.001) }
            }
        }
    }
    var first: Double?
    for step in 1...10 {
        Thread.sleep(forTimeInterval: Double(seconds) / 10)
        let now = memory()
        say(
            "\(step * seconds / 10) s: \(lines.value) records, memory \(now.map { String(format: "%.1f MB", $0) } ?? "unknown")")
        guard let now else { continue }
        first = first ?? now
        if now - first! > 8 { fatalError("the loop's memory has grown from \(first!) to \(now) MB") }
    }
    isOver.add(1)
    store.cancel()
}

final class Tally: @unchecked Sendable {
    // Sound: behind its lock.
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }
    func add(_ more: Int) { lock.withLock { count += more } }
}
