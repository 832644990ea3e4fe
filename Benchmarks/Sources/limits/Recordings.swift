import CAllocations
import Foundation
import Moonlight
import MoonlightRecording
import Streams

private struct Till: Codable, Equatable, Sendable {
    var total = 0
    var items: [String: Int] = [:]
    var last = ""
}

private enum Sale: Codable, Sendable {
    case sold(String, Int)
    case cleared(String)
}

/// Measures the cost of a recording for the loop, and checks that the state at any of a million steps is available within 10 ms.
func recordings() {
    let reducer = Reducer<Till, Sale, Sale, Void>(
        transform: { _, event, _ in .just(event) },
        apply: { (state: inout Till, effect: Sale) in
            switch effect {
            case .sold(let name, let price):
                (state.total, state.last) = (state.total &+ price, name)
                state.items[name, default: 0] += 1
            case .cleared(let name): state.items[name] = nil
            }
        })
    func spend(_ options: LoopOptions<Till, Sale, Sale>, _ flush: () -> Void) -> Cost {
        cost(of: Store(reducer: reducer, initialState: Till(), environment: (), options: options), flush)
    }
    // A first run for one-time costs.
    _ = spend(LoopOptions()) {}
    let off = spend(LoopOptions()) {}
    let counted = spend(LoopOptions(journal: { _ in })) {}
    let rare = Recording(of: reducer)
    let quiet = spend(LoopOptions(journal: rare)) { rare.flush() }
    let busy = Recording(of: reducer)
    let flooded = spend(LoopOptions(journal: busy)) {}
    say("of a million steps, each costs the thread of the loop:")
    say("without a journal           \(off)")
    say("with a journal              \(counted)")
    say("recorded, 20,000 at a time  \(quiet)")
    say("recorded, without a pause   \(flooded), of which the last \(busy.numbers?.count ?? 0) are kept")

    let recording = Recording(of: reducer, keeping: 1_100_000, bytes: 1 << 30)
    let began = processTime()
    let spent = spend(LoopOptions(journal: recording)) { recording.flush() }
    let encoded = (processTime() - began) / 1_000_000 - spent.time
    let bytes = recording.bytes
    let loading = ContinuousClock.now
    guard let read = try? Recording<Till, Sale, Sale>(bytes: bytes), let numbers = read.numbers else {
        fatalError("the recording cannot be read")
    }
    let loaded = (ContinuousClock.now - loading) / .milliseconds(1)
    var (worst, all, place) = (0.0, 0.0, 7)
    for _ in 0..<300 {
        place = (place * 1_103_515_245 + 12_345) % numbers.upperBound
        let began = threadTime()
        guard (try? read.state(at: place + 1, by: reducer)) != nil else { fatalError("there is no state at \(place + 1)") }
        let took = (threadTime() - began) / 1000
        worst = max(worst, took)
        all += took
    }
    say(
        String(
            format:
                "%d steps, encoded in %.1f us each: %.1f MB, read in %.0f ms; the state at a step in %.2f ms, at most %.2f ms",
            numbers.upperBound, encoded, Double(bytes.count) / 1e6, loaded, all / 300, worst))
    if worst > 10 { fatalError("the state at a step takes more than 10 ms") }
    if quiet.time - off.time > 1 { fatalError("a recorded step costs the loop more than a microsecond") }
}

/// Checks that a bounded recording of ten million steps allocates no more than after the first million.
func boundedRecording() {
    let reducer = Reducer<Till, Sale, Sale, Void>(
        transform: { _, event, _ in .just(event) },
        apply: { (state: inout Till, effect: Sale) in
            guard case .sold(let name, let price) = effect else { return }
            (state.total, state.last) = (state.total &+ price, name)
            state.items[name, default: 0] += 1
        })
    let recording = Recording(of: reducer, keeping: 1_000)
    let store = Store(
        reducer: reducer, initialState: Till(), environment: (), options: LoopOptions(journal: recording))
    var (first, most) = (0.0, 0.0)
    for million in 1...10 {
        for number in 0..<500_000 { store.send(.sold("item \(number % 10)", number % 13)) }
        recording.flush()
        let allocated = Double(allocated_bytes()) / 1e6
        if million == 1 { first = allocated }
        most = max(most, allocated)
    }
    say(
        String(
            format: "a recording of 1,000 steps over ten million: %.2f MB after the first million, %.2f MB at most, last step %d",
            first, most, recording.numbers?.upperBound ?? 0))
    // A quarter of a byte per step. The storage of the queue depends on how far the thread that encodes was behind.
    if most - first > 2 { fatalError("what is allocated has grown from \(first) to \(most) MB") }
    store.cancel()
}

/// Measures the time and the size of a step that changes one value of a large dictionary.
func recordingOfDictionary() {
    let reducer = Reducer<Till, Sale, Sale, Void>(
        transform: { _, event, _ in .just(event) },
        apply: { (state: inout Till, effect: Sale) in
            if case .sold(let name, let price) = effect { state.items[name, default: 0] &+= price + 1 }
        })
    for count in [10, 1_000, 10_000] {
        let names = (0..<count).map { "item \($0)" }
        let recording = Recording(of: reducer)
        let store = Store(
            reducer: reducer, initialState: Till(items: Dictionary(uniqueKeysWithValues: names.map { ($0, 0) })), environment: (),
            options: LoopOptions(journal: recording))
        recording.flush()
        let (began, before) = (processTime(), recording.bytes.count)
        var spent = 0.0
        for round in 0..<25 {
            let began = threadTime()
            for number in 0..<10 { store.send(.sold(names[(round * 7 + number * 13) % count], number)) }
            spent += threadTime() - began
            recording.flush()
        }
        let encoded = (processTime() - began - spent) / 500
        let bytes = Double(recording.bytes.count - before) / 500
        say(String(format: "a dictionary of %d: a step is encoded in %.0f us, and takes %.0f bytes", count, encoded, bytes))
        if bytes > 200 { fatalError("a step writes what has not changed") }
        store.cancel()
    }
}

/// The cost of a step for the thread that handles it.
private struct Cost: CustomStringConvertible {
    /// Microseconds of the thread's CPU time.
    let time: Double
    let allocations: Double
    var description: String { String(format: "%.3f us, %.3f allocations", time, allocations) }
}

/// Sends events for a million steps, in 50 rounds, and returns their cost for this thread. Time between rounds does not count.
private func cost(of store: Store<Till, Sale>, _ pause: () -> Void) -> Cost {
    let names = (0..<10).map { "item \($0)" }
    var (spent, allocations) = (0.0, 0)
    for round in 0..<50 {
        allocations_start_here()
        let began = threadTime()
        for number in 0..<10_000 {
            let name = names[(round * 31 + number * 7) % 10]
            store.send(number % 10 == 0 ? .cleared(name) : .sold(name, number % 13))
        }
        spent += threadTime() - began
        allocations += allocations_stop_here()
        pause()
    }
    store.cancel()
    return Cost(time: spent / 1_000_000, allocations: Double(allocations) / 1_000_000)
}

/// The CPU time of this thread, and of the process, in microseconds.
private func threadTime() -> Double { time(CLOCK_THREAD_CPUTIME_ID) }
private func processTime() -> Double { time(CLOCK_PROCESS_CPUTIME_ID) }
private func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}
