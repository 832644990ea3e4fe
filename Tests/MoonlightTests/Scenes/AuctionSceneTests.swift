import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// What a server asks of a store, as a program: see `AuctionScene`.
@Suite("Scene: an auction on a server")
struct AuctionSceneTests {
    /// Payments that are made when the test says so.
    private final class Bank: Sendable {
        let begun = Counter()
        let made = Recorder<Int>()
        let isOpen = Flag()

        func pay(_ amount: Int) async {
            begun.add()
            await isOpen.wait()
            made.append(amount)
        }
    }

    private let bank = Bank()
    private let rates = PassthroughSubject<Int, Never>()

    private func auction(
        _ options: LoopOptions<Auction, Auction.Event, Auction.Effect> = LoopOptions()
    ) -> Store<Auction, Auction.Event> {
        Auction.store(Auction.World(pay: { [bank] in await bank.pay($0) }, rates: rates.eraseToAnyPublisher()), options)
    }

    @Test("a server that closes loses no payment that was begun, though a price list is followed that never ends")
    func drain() async throws {
        let store = auction()
        for amount in [300, 500] { store.post(.pay(amount)) }
        rates.send(3)
        let left = Task { await store.drain(within: nil) }
        // An event that is taken at once suspends nobody.
        try await until { store.post(.bid(1)).word == "draining" }
        rates.send(4)
        bank.isOpen.raise()
        #expect(await left.value.isEmpty)
        #expect(store.state.paid.sorted() == [300, 500])
        #expect(store.state.paid.sorted() == bank.made.all.sorted())
        #expect(store.state.rate == 3)
    }

    @Test("at the deadline the server is told what it has cut off, by name and event")
    func deadline() async {
        let (store, clock) = (auction(), ManualClock())
        store.post(.pay(300))
        let left = Task { await store.drain(within: .seconds(20), on: clock) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(20))
        #expect(await left.value.map(\.description) == ["job pay of pay(300)"])
        #expect(store.state.paid == [])
        bank.isOpen.raise()
    }

    @Test("a bid is answered when it is decided about, while a payment is under way")
    func bids() async {
        let store = auction()
        store.post(.pay(300))
        #expect(await store.send(.bid(10), until: .decided).word == "settled")
        #expect(await store.send(.bid(10), until: .decided).word == "rejected the highest bid is 10")
        #expect(store.state.paid == [])
        bank.isOpen.raise()
        await store.drain(within: nil)
        #expect(store.state.paid == [300])
    }

    @Test("each of many bidders reads the number of the very bid that was theirs")
    func numbers() async {
        let store = auction()
        let numbers = await withTaskGroup(of: Int?.self) { group in
            for amount in 1...500 {
                group.addTask { try? await store.send(.bid(amount), until: .decided) { $0.bids } }
            }
            return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }
        // As many as were accepted, each once.
        #expect(numbers.sorted() == Array(1...store.state.bids))
        store.cancel()
    }

    @Test("no more payments run than may; the others are refused, told of, and counted")
    func limit() async {
        let refused = Recorder<String>()
        let store = auction(LoopOptions(name: "auction of payments"))
        let watch = store.refusals.sink { refused.append("\($0.event): \($0.error)") }
        var answers: [String] = []
        for amount in 1...3 { answers.append(await store.send(.pay(amount), until: .decided).word) }
        let reason = "the limit of .merge(limit: 2) for job pay is reached"
        #expect(answers == ["settled", "settled", "rejected \(reason)"])
        #expect(refused.all == ["pay(3): the event was rejected: \(reason)"])
        #expect(store.counters?.refusals == 1)
        #expect(store.counters?.liveEffects == 2)
        bank.isOpen.raise()
        await store.drain(within: nil)
        #expect(store.state.paid.sorted() == [1, 2])
        watch.cancel()
    }

    @Test("the log of thousands of stores is written off their loops, each line with its store, none lost without a word")
    func log() async throws {
        let written = Counter()
        let writer = JournalWriter<Auction, Auction.Event, Auction.Effect>(limit: 100) { batch in
            written.add(batch.records.count + batch.dropped)
        }
        let stores = (0..<1_000).map { auction(LoopOptions(name: "auction \($0)", journal: writer.take)) }
        for store in stores {
            store.post(.bid(1))
            store.cancel()
        }
        writer.flush()
        // The event, its effect, and the end; the reaction starts when the store begins and is no record.
        try await until { written.value >= 3_000 }
        #expect(written.value == 3_000)
    }
}
