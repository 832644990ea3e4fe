import Moonlight
import MoonlightTestSupport

extension Store where State: Sendable, Event: Sendable {
    /// Waits until the loop is idle, so that an event that is sent later is handled before the call returns.
    func idle() async throws { try await until { isIdle } }

    /// Sends an event, and returns when new work is in flight and the loop is idle. The work is the event's, unless others send
    /// meanwhile.
    func begin(_ event: Event) async throws -> Task<String, Never> {
        let earlier = inFlight.map(\.since)
        let waiting = Task { await send(event).word }
        try await until { inFlight.contains { !earlier.contains($0.since) } }
        try await idle()
        return waiting
    }

    /// Suspends the loop during a change of the state, which a closure causes.
    ///
    /// - Returns: A closure that resumes the loop, and waits until it is idle.
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
