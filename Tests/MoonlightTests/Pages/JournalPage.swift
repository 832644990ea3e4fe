import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Cart: Equatable, Sendable {
    var items: [String] = []
    var total = 0
}

private enum Event: Sendable {
    case add(String, price: Int)
    case pay
}

private enum Effect: Sendable { case added(String, price: Int) }

private typealias Record = JournalRecord<Cart, Event, Effect>

@Suite("Page: Journal")
struct JournalPage {
    private static func makeStore(_ options: LoopOptions<Cart, Event, Effect>) -> Store<Cart, Event> {
        Store(
            reducer: Reducer(
                transform: { (cart, event: Event, _) -> AnyPublisher<Effect, Never> in
                    switch event {
                    case .add(let item, let price): return Just(.added(item, price: price)).eraseToAnyPublisher()
                    case .pay: throw Rejection("the cart is empty", file: "Shop/Cart.swift", line: 12)
                    }
                },
                apply: { (cart: inout Cart, effect: Effect) in
                    guard case .added(let item, let price) = effect else { return }
                    cart.items.append(item)
                    cart.total += price
                }),
            initialState: Cart(), environment: (), options: options)
    }

    @Test("The journal has a line for each event, rejection, effect and the end")
    func lines() {
        let lines = Recorder<String>()
        let store = Self.makeStore(LoopOptions(journal: { record in lines.append("\(record)") }))
        store.send(.pay)
        store.send(.add("lamp", price: 20))
        store.cancel()
        #expect(
            lines.all == [
                "1  event pay",
                "2 <- 1  rejected pay: the cart is empty (Shop/Cart.swift:12)",
                "3  event add(\"lamp\", price: 20)",
                "4 <- 3  effect added(\"lamp\", price: 20): items[0] nothing -> \"lamp\", total 0 -> 20",
                "5  cancelled",
            ])
    }

    @Test("A record can be written as a diff and as JSON")
    func formats() {
        let records = Lock<[Record]>([])
        let start = ContinuousClock.now
        let store = Self.makeStore(LoopOptions(journal: { record in records.withLock { $0.append(record) } }))
        store.send(.add("lamp", price: 20))
        let effect = records.withLock { $0[1] }
        let diff = effect.diff
        let json = effect.json(since: start)
        #expect(
            diff == "2 <- 1  effect added(\"lamp\", price: 20)\n    items[0] nothing -> \"lamp\"\n    total 0 -> 20")
        #expect(json.hasPrefix("{\"n\":2,\"cause\":1,\"ms\":"))
        #expect(json.contains("{\"path\":\"total\",\"before\":\"0\",\"after\":\"20\"}"))
    }

    @Test("A journal writer formats records off the loop")
    func writer() async throws {
        let log = Recorder<String>()
        let writer = JournalWriter<Cart, Event, Effect> { batch in log.append(batch.lines) }
        let store = Self.makeStore(LoopOptions(name: "shop", journal: writer.take))
        await store.send(.pay)
        store.cancel()
        writer.flush()
        // The writer's own queue may have been first; then `flush` leaves the records to it.
        try await until { log.all.joined().contains(" shop  3  cancelled") }
        #expect(log.all.joined(separator: "\n").contains("Z shop  2 <- 1  rejected pay: the cart is empty (Shop/Cart.swift:12)"))
    }

    @Test("The causes of a record lead to its event")
    func tracing() {
        let journal = Lock<[Record]>([])
        let store = Self.makeStore(LoopOptions(journal: { record in journal.withLock { $0.append(record) } }))
        store.send(.add("lamp", price: 20))
        let records = journal.withLock { $0 }
        func chain(to record: Record) -> [Record] {
            guard let cause = record.cause else { return [record] }
            return chain(to: records[cause - 1]) + [record]
        }
        #expect(chain(to: records[1]).map(\.number) == [1, 2])
    }

    @Test("A subject that receives the journal sends rejections to its subscribers")
    func stream() {
        let journal = PassthroughSubject<Record, Never>()
        let refusals = Recorder<String>()
        let watching = journal.sink { record in
            if case .rejected(let event, let error) = record.step { refusals.append("\(event): \(error)") }
        }
        let store = Self.makeStore(LoopOptions(journal: { journal.send($0) }))
        store.send(.pay)
        #expect(refusals.all == ["pay: the cart is empty"])
        watching.cancel()
    }
}
