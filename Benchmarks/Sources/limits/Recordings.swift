import Foundation
import Moonlight
import MoonlightRecording
import Streams

private struct Till: Codable, Equatable, Sendable {
    var total = 0
    var items: [String: Int] = [:]
    var last = ""
}

private enum Sale: Codable, Sendable { case sold(String, Int), cleared(String) }

/// A recording of a million steps: the time that a step costs the loop, and that the state at any step takes, which must be 10 ms
/// at most.
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
    let names = (0..<10).map { "item \($0)" }
    func play(_ options: LoopOptions<Till, Sale, Sale>, _ flush: () -> Void) -> Double {
        let store = Store(reducer: reducer, initialState: Till(), environment: (), options: options)
        var spent = Duration.zero
        for round in 0..<50 {
            let began = ContinuousClock.now
            for number in 0..<10_000 {
                let name = names[(round * 31 + number * 7) % 10]
                store.send(number % 10 == 0 ? .cleared(name) : .sold(name, number % 13))
            }
            spent += ContinuousClock.now - began
            flush()
        }
        store.cancel()
        return spent / .microseconds(1) / 1_000_000
    }
    let off = play(LoopOptions()) {}
    let recording = Recording(of: reducer, keeping: .last(1_100_000, bytes: 1 << 30))
    let on = play(LoopOptions(journal: recording)) { recording.flush() }
    let bytes = recording.bytes
    let loading = ContinuousClock.now
    guard let read = try? Recording<Till, Sale, Sale>(bytes: bytes), let numbers = read.numbers else {
        fatalError("the recording cannot be read")
    }
    let loaded = (ContinuousClock.now - loading) / .milliseconds(1)
    var (worst, all, place) = (0.0, 0.0, 7)
    for _ in 0..<300 {
        place = (place * 1_103_515_245 + 12_345) % numbers.upperBound
        let began = ContinuousClock.now
        guard (try? read.state(at: place + 1, by: reducer)) != nil else { fatalError("there is no state at \(place + 1)") }
        let took = (ContinuousClock.now - began) / .milliseconds(1)
        worst = max(worst, took)
        all += took
    }
    say(
        String(
            format: "%d steps: %.2f us more a step, %.1f MB, read in %.0f ms; the state at a step in %.2f ms, at most %.2f ms",
            numbers.upperBound, on - off, Double(bytes.count) / 1e6, loaded, all / 300, worst))
    if worst > 10 { fatalError("the state at a step takes more than 10 ms") }
}
