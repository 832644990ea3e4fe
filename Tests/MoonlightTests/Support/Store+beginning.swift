import Moonlight
import MoonlightTestSupport

extension Store where State: Sendable, Event: Sendable {
    /// Sends an event, and returns when something of it is in flight.
    func begin(_ event: Event) async -> Task<String, Never> {
        let waiting = Task { await send(event).word }
        while inFlight.isEmpty { await Task.yield() }
        return waiting
    }

    /// Holds the loop up in the midst of a change of the state, which a closure leads to.
    ///
    /// - Returns: What lets it go on, and waits until it has.
    func hold(by change: @escaping @Sendable () -> Void) async -> () -> Void {
        let (isHeld, goOn) = (Flag(), Latch())
        let observer = states.dropFirst().sink { _ in
            isHeld.raise()
            goOn.wait()
        }
        let worker = Worker(change)
        await isHeld.wait()
        return {
            goOn.open()
            worker.join()
            observer.cancel()
        }
    }
}
