import CAllocations
import Foundation
import Moonlight
import MoonlightRecording
import Streams

private enum Event: Sendable {
    case add(Int)
    case search(Int)
    case watch(Int)
    case tick
}

private struct State: Equatable, Sendable {
    var sum = 0
    var found = 0
    var watched: Set<Int> = []
}

/// Runs a loop under load from four threads, with jobs that replace each other, temporary reactions and observers, timers, and a
/// recording that is written to a file. Its memory must not grow after the first tenth.
func soak(seconds: Int) {
    let scheduler = ClockScheduler(ContinuousClock())
    let lines = Tally()
    let reducer = Reducer<State, Event, Event, Void>(
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
    let recording = Recording(of: reducer, keeping: 10_000, bytes: 4 << 20)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("soak-\(getpid()).moon").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    do { try recording.follow(in: path) } catch { fatalError("\(error)") }
    var options = LoopOptions(journal: recording, inbox: .dropOldest(1_000))
    options.journal = { record in
        lines.add(1)
        recording.take(record)
    }
    let store = Store(
        reducer: reducer, initialState: State(), environment: (), options: options,
        feedback: { states in
            [
                states.react(toEach: \.watched) { key in Just(Event.add(key)) },
                TimerPublisher(every: .milliseconds(10), on: scheduler).autoconnect().map { _ in Event.tick }
                    .eraseToAnyPublisher(),
            ]
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
    var first: (resident: Double?, allocated: Double)?
    for step in 1...10 {
        Thread.sleep(forTimeInterval: Double(seconds) / 10)
        // The reserve of a memory allocator depends on the threads that have used it; the allocated size does not.
        let now = (resident: memory(), allocated: Double(allocated_bytes()) / 1e6)
        let resident = now.resident.map { String(format: "%.1f MB", $0) } ?? "unknown"
        say(
            "\(step * seconds / 10) s: \(lines.value) records, memory \(resident), of which allocated "
                + String(format: "%.1f MB", now.allocated))
        guard let first else {
            first = now
            continue
        }
        if now.allocated - first.allocated > 8 {
            fatalError("what is allocated has grown from \(first.allocated) to \(now.allocated) MB")
        }
        if let before = first.resident, let after = now.resident, after - before > 48 {
            fatalError("the process has grown from \(before) to \(after) MB")
        }
    }
    isOver.add(1)
    store.cancel()
    if let failure = recording.fileFailure { fatalError("the recording's file: \(failure)") }
    do {
        let read = try Recording(of: reducer, contentsOf: path)
        say("the recording's file has \(try read.steps().count) steps of \(read.numbers?.upperBound ?? 0)")
    } catch { fatalError("the recording's file: \(error)") }
}

final class Tally: @unchecked Sendable {
    // Sound: behind its lock.
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }
    func add(_ more: Int) { lock.withLock { count += more } }
}
