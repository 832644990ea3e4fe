import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The requirements of a server on a store: see `AuctionScene`.
@Suite("Scene: an auction on a server")
struct AuctionSceneTests {
    /// Payments that the test completes.
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
    /// Counts the subscriptions to `rates` that were cancelled.
    private let cancelledRates = Counter()

    private func auction(
        _ options: LoopOptions<Auction, Auction.Event, Auction.Effect> = LoopOptions()
    ) -> Store<Auction, Auction.Event> {
        let rates = rates.handleEvents(receiveCancel: { [cancelledRates] in cancelledRates.add() }).eraseToAnyPublisher()
        return Auction.store(Auction.World(pay: { [bank] in await bank.pay($0) }, rates: rates), options)
    }

    @Test("A server that shuts down loses no payment in flight, even while it follows an endless price list")
    func drain() async throws {
        let store = auction()
        for amount in [300, 500] { store.post(.pay(amount)) }
        rates.send(3)
        let left = Task { await store.drain(within: nil) }
        try await until { cancelledRates.value == 1 }
        expectEqual(store.post(.bid(1)).word, "draining")
        rates.send(4)
        bank.isOpen.raise()
        await expect(left.value.isEmpty)
        expectEqual(store.state.paid.sorted(), [300, 500])
        expectEqual(store.state.paid.sorted(), bank.made.all.sorted())
        expectEqual(store.state.rate, 3)
    }

    @Test("Draining to a deadline returns the payments that were interrupted, with job and event")
    func deadline() async {
        let (store, clock) = (auction(), ManualClock())
        store.post(.pay(300))
        let left = Task { await store.drain(within: .seconds(20), on: clock) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(20))
        await expectEqual(left.value.map(\.description), ["job pay of pay(300)"])
        expectEqual(store.state.paid, [])
        bank.isOpen.raise()
    }

    @Test("A bid is answered when it is decided, while a payment is in flight")
    func bids() async {
        let store = auction()
        store.post(.pay(300))
        await expectEqual(store.send(.bid(10), until: .decided).word, "settled")
        await expectEqual(store.send(.bid(10), until: .decided).word, "rejected the highest bid is 10")
        expectEqual(store.state.paid, [])
        bank.isOpen.raise()
        await store.drain(within: nil)
        expectEqual(store.state.paid, [300])
    }

    @Test("Each of many bidders reads the number of its own bid")
    func numbers() async {
        let store = auction()
        let numbers = await withTaskGroup(of: Int?.self) { group in
            for amount in 1...Budget.rounds(500, least: 100) {
                group.addTask { try? await store.send(.bid(amount)) { $0.bids } }
            }
            return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }
        // As many as accepted bids, each once.
        expectEqual(numbers.sorted(), Array(1...store.state.bids))
        store.cancel()
    }

    @Test("Payments beyond the limit are rejected, published as refusals, and counted")
    func limit() async {
        let refused = Recorder<String>()
        let store = auction(LoopOptions(name: "auction of payments"))
        let watch = store.refusals.sink { refused.append("\($0.event): \($0.error)") }
        var answers: [String] = []
        for amount in 1...3 { answers.append(await store.send(.pay(amount), until: .decided).word) }
        let reason = "the limit of .merge(limit: 2) for job pay is reached"
        expectEqual(answers, ["settled", "settled", "rejected \(reason)"])
        expectEqual(refused.all, ["pay(3): the event was rejected: \(reason)"])
        expectEqual(store.counters?.refusals, 1)
        expectEqual(store.counters?.liveEffects, 2)
        bank.isOpen.raise()
        await store.drain(within: nil)
        expectEqual(store.state.paid.sorted(), [1, 2])
        watch.cancel()
    }

    @Test("The log of many stores is written off their loops, and each record is written or counted as dropped")
    func log() async throws {
        let written = Counter()
        let writer = JournalWriter<Auction, Auction.Event, Auction.Effect>(limit: 100) { batch in
            written.add(batch.records.count + batch.dropped)
        }
        let count: Int = Budget.size(1_000, quick: 150)
        let stores = (0..<count).map { auction(LoopOptions(name: "auction \($0)", journal: writer.take)) }
        for store in stores {
            store.post(.bid(1))
            store.cancel()
        }
        writer.flush()
        // The event, its effect, and the end; the reaction starts when the store begins and is no record.
        try await until { written.value >= 3 * count }
        expectEqual(written.value, 3 * count)
    }
}
