import Moonlight
import MoonlightTestSupport

extension Store where State: Sendable, Event: Sendable {
    /// Waits until the loop is idle: what is sent from then on is handled before the call returns.
    func idle() async throws { try await until { isIdle } }

    /// Sends an event, and returns when work is in flight that was not before, and the loop is idle. The work is the event's,
    /// unless others send meanwhile.
    func begin(_ event: Event) async throws -> Task<String, Never> {
        let earlier = inFlight.map(\.since)
        let waiting = Task { await send(event).word }
        try await until { inFlight.contains { !earlier.contains($0.since) } }
        try await idle()
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
