import Dispatch
import SampleSupport

/// Keeps work from being faster than it should.
struct Pace {
    /// How many bytes a second; nil for as many as come.
    let speed: Int?
    private let start = ContinuousClock.now

    init(speed: Int?) { self.speed = speed }

    /// Waits until so many bytes, counted from the start, are due, or nobody waits for them any more.
    func wait(for bytes: Int, stop: StopSign) {
        guard let speed else { return }
        let due = start + .milliseconds(bytes * 1000 / speed)
        let isStopped = DispatchSemaphore(value: 0)
        while !stop.isSet, due > .now {
            // Woken in time if it is to stop: a wait in small pieces needs no one to wake it.
            _ = isStopped.wait(timeout: .now() + .milliseconds(20))
        }
    }
}
