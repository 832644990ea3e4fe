import InMemoryTracing
import Moonlight
import MoonlightTracing
import Streams
import TestLoops
import Testing
import Tracing

@Suite("Spans of events and their effects")
struct TracedTests {
    private let tracer = InMemoryTracer()

    private func store(_ world: Tally.World = Tally.World()) -> Store<Tally, Tally.Event> {
        Store(
            reducer: Tally.reducer.traced(by: tracer, store: "tally"), initialState: Tally(), environment: world,
            options: LoopOptions(taskLocals: [.trace]))
    }

    private func span(_ name: String) throws -> FinishedInMemorySpan {
        try #require(tracer.finishedSpans.first { $0.operationName == name })
    }

    @Test("An event has a span inside its sender's, and ready effects have none of their own")
    func ready() throws {
        let store = store()
        tracer.withSpan("request") { _ in _ = store.send(.add(1)) }
        #expect(tracer.finishedSpans.map(\.operationName) == ["event add", "request"])
        #expect(try span("event add").parentSpanID == span("request").spanID)
        #expect(try span("event add").attributes.get("moonlight.store") == .string("tally"))
        #expect(store.state.count == 1)
    }

    @Test("The span of a rejected event has the error")
    func rejected() throws {
        store().send(.refuse)
        #expect(try span("event refuse").errors.map { "\($0.error)" } == ["Refusal()"])
    }

    @Test("A stream of effects has a span inside its event's, which is current in its body and lasts as long")
    func streams() async throws {
        let (tracer, seen) = (tracer, Recorder<String?>())
        let store = store(
            Tally.World {
                .run { send in
                    seen.append(ServiceContext.current.flatMap { tracer.activeSpan(identifiedBy: $0)?.operationName })
                    send("loaded")
                }
            })
        await tracer.withSpan("request") { _ in _ = await store.send(.load) }
        #expect(store.state.note == "loaded")
        #expect(seen.all == ["effects of load"])
        #expect(try span("effects of load").parentSpanID == span("event load").spanID)
        #expect(try span("effects of load").traceID == span("request").traceID)
        #expect(try span("effects of load").attributes.get("moonlight.cancelled") == nil)
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test("The span of a cancelled stream ends with the status \"cancelled\"")
    func cancelled() throws {
        let store = store(Tally.World { Empty(completeImmediately: false).eraseToAnyPublisher() })
        store.send(.load)
        #expect(tracer.activeSpans.map(\.operationName) == ["effects of load"])
        store.cancel()
        #expect(try span("effects of load").attributes.get("moonlight.cancelled") == .bool(true))
    }

    @Test("A queued event belongs to the trace of its own sender, not of the one whose thread handles it")
    func waiting() throws {
        let store = store()
        let tracer = tracer
        let nested = store.states.filter { $0.count == 1 }.sink { _ in
            tracer.withSpan("second", context: .topLevel) { _ in _ = store.send(.add(10)) }
        }
        tracer.withSpan("first") { _ in _ = store.send(.add(1)) }
        nested.cancel()
        let events = tracer.finishedSpans.filter { $0.operationName == "event add" }
        #expect(try events.map(\.parentSpanID) == [span("first").spanID, span("second").spanID])
    }

    @Test("Sending has a span around the event's, with the error if it failed")
    func sending() async throws {
        let store = store()
        await store.tracedSend(.add(1), by: tracer)
        #expect(try span("event add").parentSpanID == span("send add").spanID)
        #expect(try span("send add").status == nil)
        await store.tracedSend(.refuse, until: .decided, by: tracer)
        #expect(try span("send refuse").status?.code == .error)
        #expect(try span("send refuse").errors.count == 1)
    }
}
