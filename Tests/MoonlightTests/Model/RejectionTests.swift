import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("What a rejection says of itself")
struct RejectionTests {
    private let rejection = Rejection("the cart is empty", file: "Shop/Cart.swift", line: 12)

    @Test("interpolated, it is the reason alone: no client sees a path of the source")
    func description() {
        #expect("\(rejection)" == "the cart is empty")
    }

    @Test("for whoever debugs, it also has its place")
    func debugDescription() {
        #expect(String(reflecting: rejection) == "the cart is empty (Shop/Cart.swift:12)")
    }

    @Test("interpolated, the answer to who sent the event has no path of the source, either")
    func sendError() {
        #expect("\(SendError.rejected(rejection))" == "the event was rejected: the cart is empty")
    }

    @Test("for whoever debugs, the answer to who sent the event has its place, too")
    func sendErrorDebugged() {
        let text = "the event was rejected: the cart is empty (Shop/Cart.swift:12)"
        #expect(String(reflecting: SendError.rejected(rejection)) == text)
        #expect(String(reflecting: SendError.ended) == "the loop has ended")
    }

    @Test("the journal tells its place")
    func journal() {
        let lines = Recorder<String>()
        let store = Store(
            initialState: 0, environment: (),
            options: LoopOptions<Int, Bool, Bool>(journal: { lines.append($0.description) }),
            transform: { [rejection] _, isForTransform, _ in
                if isForTransform { throw rejection }
                return Just(false).eraseToAnyPublisher()
            },
            apply: { state, _ in state })
        store.send(true)
        #expect(lines.all.last == "2 <- 1  rejected true: the cart is empty (Shop/Cart.swift:12)")
        store.cancel()
    }

    @Test("a journal for machines tells the reason and the place apart")
    func json() {
        let lines = Recorder<String>()
        let store = Store(
            initialState: 0, environment: (),
            options: LoopOptions<Int, Int, Int>(journal: { lines.append($0.json(since: $0.time)) }),
            transform: { [rejection] _, _, _ in throw rejection }, apply: { state, _ in state })
        store.send(1)
        let parts = #""step":"rejected","event":"1","error":"the cart is empty","file":"Shop/Cart.swift","line":12"#
        #expect(lines.all.last?.contains(parts) == true)
        store.cancel()
    }
}
