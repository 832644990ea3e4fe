import InMemoryLogging
import Logging
import Moonlight
import MoonlightLifecycle
import ServiceLifecycle
import ServiceLifecycleTestKit
import Streams
import TestLoops
import Testing

@Suite("A store as a service")
struct StoreServiceTests {
    private let handler = InMemoryLogHandler()
    private var logger: Logger { Logger(label: "test") { [handler] _ in handler } }

    private func store(_ notes: PassthroughSubject<String, Never>) -> Store<Tally, Tally.Event> {
        Store(
            reducer: Tally.reducer, initialState: Tally(), environment: Tally.World { notes.eraseToAnyPublisher() },
            options: LoopOptions(name: "tally"))
    }

    @Test("A store service drains on graceful shutdown: work in flight is completed, further events are refused")
    func drains() async {
        let notes = PassthroughSubject<String, Never>()
        let (store, ended) = (store(notes), Recorder<String>())
        let service = StoreService(store, draining: nil, logger: logger) { ended.append(store.state.note) }
        store.post(.load)
        await testGracefulShutdown { trigger in
            async let running: Void = service.run()
            trigger.triggerGracefulShutdown()
            while !store.isRefusing { await Task.yield() }
            #expect(ended.all.isEmpty)
            notes.send("done")
            notes.send(completion: .finished)
            await running
        }
        #expect(ended.all == ["done"])
        #expect(handler.entries.isEmpty)
    }

    @Test("A store service cancels work that exceeds the limit, with a warning for each piece")
    func limit() async {
        let store = store(PassthroughSubject())
        store.post(.load)
        await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            await StoreService(store, draining: .zero, logger: logger).run()
        }
        #expect(handler.entries.map(\.message) == ["cut off"])
        #expect(handler.entries.map(\.level) == [.warning])
        #expect(handler.entries.first?.metadata["store"] == "tally")
        let work = "\(handler.entries.first?.metadata["work"] ?? "")"
        #expect(work.contains("load"))
    }

    @Test("A store service ends when the store has ended by itself")
    func ended() async {
        let store = store(PassthroughSubject())
        let ended = Recorder<String>()
        store.cancel()
        await StoreService(store, draining: nil, logger: logger) { ended.append("ended") }.run()
        #expect(ended.all == ["ended"])
    }

    @Test("A store service ends when its task is cancelled")
    func cancelled() async {
        let store = store(PassthroughSubject())
        store.post(.load)
        let service = StoreService(store, draining: nil, logger: logger)
        let task = Task { await service.run() }
        task.cancel()
        await task.value
        #expect(store.isRefusing)
        #expect(handler.entries.count == 1)
    }
}

extension Store<Tally, Tally.Event> {
    /// Indicates whether the store accepts no event. Sends one.
    fileprivate var isRefusing: Bool {
        if case .success = post(.add(1)) { false } else { true }
    }
}
