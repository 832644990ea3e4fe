import Metrics
import MetricsTestKit
import Moonlight
import MoonlightMetrics
import Streams
import Synchronization
import TestLoops
import Testing

@Suite("Counters of stores as metrics")
struct StoreMetricsTests {
    private func store(_ name: String) -> Store<Tally, Tally.Event> {
        Store(
            reducer: Tally.reducer, initialState: Tally(),
            environment: Tally.World { Empty(completeImmediately: false).eraseToAnyPublisher() },
            options: LoopOptions(name: name))
    }

    @Test("Each update adds the difference since the previous one to the counters, and sets the gauges")
    func updates() throws {
        let (backend, store) = (TestMetrics(), store("shop"))
        let metrics = StoreMetrics(factory: backend) { [store.counters].compactMap { $0 } }
        store.send(.add(1))
        store.send(.refuse)
        store.send(.load)
        metrics.update()
        store.send(.add(1))
        metrics.update()
        let name = [("store", "shop")]
        #expect(try backend.expectCounter("moonlight.events", name).values == [3, 1])
        #expect(try backend.expectCounter("moonlight.refusals", name).totalValue == 1)
        #expect(try backend.expectGauge("moonlight.live_effects", name).values == [1, 1])
        #expect(try backend.expectGauge("moonlight.waiting", name).lastValue == 0)
        #expect(try #require(backend.expectGauge("moonlight.longest_turn", name).lastValue) > 0)
        #expect(try #require(backend.expectGauge("moonlight.longest_wait", name).lastValue) >= 0)
    }

    @Test("Stores with the same name are added up, and their metrics are destroyed with the last one")
    func names() throws {
        let backend = TestMetrics()
        let stores = Mutex([store("room"), store("room")])
        let metrics = StoreMetrics(factory: backend) { stores.withLock { $0.compactMap(\.counters) } }
        for store in stores.withLock({ $0 }) { store.send(.load) }
        metrics.update()
        #expect(try backend.expectCounter("moonlight.events", [("store", "room")]).totalValue == 2)
        #expect(try backend.expectGauge("moonlight.live_effects", [("store", "room")]).lastValue == 2)
        stores.withLock { _ = $0.removeLast() }
        metrics.update()
        #expect(try backend.expectCounter("moonlight.events", [("store", "room")]).totalValue == 2)
        #expect(try backend.expectGauge("moonlight.live_effects", [("store", "room")]).lastValue == 1)
        stores.withLock { $0 = [] }
        metrics.update()
        #expect(backend.counters(label: "moonlight.events").isEmpty)
        #expect(backend.recorders(label: "moonlight.waiting").isEmpty)
    }

    @Test("The factory is called without a lock: it may export metrics itself")
    func factory() throws {
        let (backend, store) = (TestMetrics(), store("shop"))
        let nested = Mutex<StoreMetrics?>(nil)
        let metrics = StoreMetrics(factory: NestedFactory(backend) { nested.withLock { $0.take() }?.update() }) {
            [store.counters].compactMap { $0 }
        }
        nested.withLock { $0 = metrics }
        store.send(.add(1))
        metrics.update()
        #expect(try backend.expectCounter("moonlight.events", [("store", "shop")]).totalValue == 1)
    }

    @Test("All named stores of the process are exported by default, repeatedly, until the task is cancelled")
    func everything() async throws {
        let (backend, store) = (TestMetrics(), store("of the process"))
        await store.send(.add(1))
        let metrics = StoreMetrics(prefix: "tested", factory: backend)
        let clock = CancellingClock(after: 2)
        let task = Task { try await metrics.run(every: .seconds(10), on: clock) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try backend.expectCounter("tested.events", [("store", "of the process")]).values.reduce(0, +) == 1)
        #expect(try backend.expectGauge("tested.waiting", [("store", "of the process")]).values.count == 3)
        #expect(clock.sleeps == [.seconds(10), .seconds(10), .seconds(10)])
    }
}

/// A factory that calls a closure before it creates a counter.
private final class NestedFactory: MetricsFactory {
    private let backend: TestMetrics
    private let beforeCounter: @Sendable () -> Void

    init(_ backend: TestMetrics, beforeCounter: @escaping @Sendable () -> Void) {
        (self.backend, self.beforeCounter) = (backend, beforeCounter)
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        beforeCounter()
        return backend.makeCounter(label: label, dimensions: dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        backend.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        backend.makeTimer(label: label, dimensions: dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) { backend.destroyCounter(handler) }
    func destroyRecorder(_ handler: any RecorderHandler) { backend.destroyRecorder(handler) }
    func destroyTimer(_ handler: any TimerHandler) { backend.destroyTimer(handler) }
}

/// A clock whose sleeps end at once, except the last one, which is cancelled.
private final class CancellingClock: Clock {
    private let left: Mutex<(count: Int, sleeps: [Duration])>

    init(after count: Int) { left = Mutex((count, [])) }

    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    var sleeps: [Duration] { left.withLock { $0.sleeps } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let isOver = left.withLock { left in
            left.count -= 1
            left.sleeps.append(.seconds((ContinuousClock.now.duration(to: deadline) / .seconds(1)).rounded()))
            return left.count < 0
        }
        if isOver { throw CancellationError() }
    }
}
