import Metrics
import MetricsTestKit
import Moonlight
import MoonlightMetrics
import Streams
import TestLoops
import Testing

@Suite("A journal as metrics")
struct JournalMetricsTests {
    @Test("Steps are counted by kind, events by case, and waits and calls are timed")
    func counts() throws {
        let backend = TestMetrics()
        let metrics = JournalMetrics(store: "shop", factory: backend)
        let store = Store(
            reducer: Tally.reducer, initialState: Tally(), environment: Tally.World(),
            options: LoopOptions(journal: { metrics.take($0) }))
        for event in [Tally.Event.add(1), .add(2), .refuse, .spoil] { store.send(event) }
        func count(_ label: String, _ dimension: String, _ value: String) -> Int64? {
            try? backend.expectCounter(label, [("store", "shop"), (dimension, value)]).totalValue
        }
        #expect(count("moonlight.steps", "step", "event") == 4)
        #expect(count("moonlight.steps", "step", "effect") == 2)
        #expect(count("moonlight.steps", "step", "rejected") == 1)
        #expect(count("moonlight.steps", "step", "effectRejected") == 1)
        #expect(count("moonlight.handled", "event", "add") == 2)
        #expect(count("moonlight.handled", "event", "refuse") == 1)
        #expect(try backend.expectTimer("moonlight.wait", [("store", "shop")]).values.count == 4)
        #expect(try backend.expectTimer("moonlight.transform", [("store", "shop")]).values.allSatisfy { $0 > 0 })
        #expect(try backend.expectTimer("moonlight.apply", [("store", "shop")]).values.count == 3)
    }

    @Test("Lost events are counted individually")
    func lost() throws {
        let backend = TestMetrics()
        let metrics = JournalMetrics(store: "shop", prefix: "loop", factory: backend)
        let store = Store(
            reducer: Tally.reducer, initialState: Tally(), environment: Tally.World(),
            options: LoopOptions(journal: { metrics.take($0) }, inbox: .reject(1)))
        let flooding = store.states.filter { $0.count == 1 }.sink { _ in for _ in 1...5 { store.send(.add(10)) } }
        store.send(.add(1))
        flooding.cancel()
        #expect(try backend.expectCounter("loop.steps", [("store", "shop"), ("step", "overflowed")]).totalValue == 4)
    }
}
