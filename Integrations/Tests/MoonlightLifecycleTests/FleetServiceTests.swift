import InMemoryLogging
import Logging
import Moonlight
import MoonlightDurability
import MoonlightLifecycle
import ServiceLifecycle
import ServiceLifecycleTestKit
import Streams
import TestLoops
import Testing

@Suite("A fleet as a service")
struct FleetServiceTests {
    private let handler = InMemoryLogHandler()
    private var logger: Logger { Logger(label: "test") { [handler] _ in handler } }

    private func fleet(_ notes: PassthroughSubject<String, Never>) -> Fleet<String, Tally, Tally.Event> {
        Fleet(
            reducer: Tally.reducer, environment: { _ in Tally.World { notes.eraseToAnyPublisher() } },
            initialState: { _ in Tally() })
    }

    @Test("A fleet service drains on graceful shutdown: work in flight is completed")
    func drains() async throws {
        let notes = PassthroughSubject<String, Never>()
        let fleet = fleet(notes)
        try await fleet.send(.load, to: "a", until: .decided)
        try await testGracefulShutdown { trigger in
            async let running: Void = FleetService(fleet, draining: nil, logger: logger).run()
            trigger.triggerGracefulShutdown()
            while (try? await fleet.send(.add(1), to: "a", until: .decided)) != nil { await Task.yield() }
            notes.send("done")
            notes.send(completion: .finished)
            try await running
        }
        #expect(handler.entries.isEmpty)
    }

    @Test("A fleet service cancels work that exceeds the limit, with a warning that names the member")
    func limit() async throws {
        let fleet = fleet(PassthroughSubject())
        try await fleet.send(.load, to: "a", until: .decided)
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await FleetService(fleet, draining: .zero, logger: logger).run()
        }
        #expect(handler.entries.map(\.message) == ["cut off"])
        #expect(handler.entries.first?.metadata["id"] == "a")
    }
}
