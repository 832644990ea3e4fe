import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Descriptions of a rejection")
struct RejectionTests {
    private let rejection = Rejection("the cart is empty", file: "Shop/Cart.swift", line: 12)

    @Test("The description of a rejection is its reason, without a source path")
    func description() {
        expectEqual("\(rejection)", "the cart is empty")
    }

    @Test("The debug description of a rejection has its file and line")
    func debugDescription() {
        expectEqual(String(reflecting: rejection), "the cart is empty (Shop/Cart.swift:12)")
    }

    @Test("The description of a send error contains no source path")
    func sendError() {
        expectEqual("\(SendError.rejected(rejection))", "the event was rejected: the cart is empty")
    }

    @Test("The debug description of a send error has the file and line of the rejection")
    func sendErrorDebugged() {
        let text = "the event was rejected: the cart is empty (Shop/Cart.swift:12)"
        expectEqual(String(reflecting: SendError.rejected(rejection)), text)
        expectEqual(String(reflecting: SendError.ended), "the loop has ended")
    }

    @Test("The journal has the file and line of a rejection")
    func journal() {
        let lines = Recorder<String>()
        let store = Store(
            reducer: Reducer(
                transform: { [rejection] _, isForTransform, _ in
                    if isForTransform { throw rejection }
                    return Just(false).eraseToAnyPublisher()
                }, apply: { _, _ in }),
            initialState: 0, environment: (),
            options: LoopOptions<Int, Bool, Bool>(journal: { lines.append($0.description) }))
        store.send(true)
        expectEqual(lines.all.last, "2 <- 1  rejected true: the cart is empty (Shop/Cart.swift:12)")
        store.cancel()
    }

    @Test("A JSON record of a rejection has fields for the reason, the file and the line")
    func json() {
        let lines = Recorder<String>()
        let store = Store(
            reducer: Reducer(transform: { [rejection] _, _, _ in throw rejection }, apply: { _, _ in }),
            initialState: 0, environment: (),
            options: LoopOptions<Int, Int, Int>(journal: { lines.append($0.json(since: $0.time)) }))
        store.send(1)
        let parts = #""step":"rejected","event":"1","error":"the cart is empty","file":"Shop/Cart.swift","line":12"#
        expectEqual(lines.all.last?.contains(parts), true)
        store.cancel()
    }
}
