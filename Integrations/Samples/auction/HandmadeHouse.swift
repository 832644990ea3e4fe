import AuctionHouse
import Synchronization

/// The same server written by hand, with one actor per auction, as a baseline for measurements. It stores nothing.
final class HandmadeHouse: House {
    private let auctions = Mutex<[String: HandmadeAuction]>([:])
    private let bank: Bank

    init(bank: Bank) { self.bank = bank }

    var isDurable: Bool { false }

    private func auction(_ id: String) -> HandmadeAuction {
        auctions.withLock { auctions in
            if let auction = auctions[id] { return auction }
            let auction = HandmadeAuction(id: id, bank: bank)
            auctions[id] = auction
            return auction
        }
    }

    func send(_ event: Auction.Event, to id: String, key: String?) async throws(Refusal) { try await auction(id).handle(event) }
    func state(of id: String) async throws(Refusal) -> Auction { await auction(id).state }

    func states(of id: String) -> AsyncStream<Auction> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let auction = auction(id)
            Task { await auction.watch(continuation) }
        }
    }

    func ids(after cursor: String?, limit: Int) async throws -> (ids: [String], next: String?) {
        let ids = auctions.withLock { $0.keys.filter { $0 > cursor ?? "" } }.sorted().prefix(limit)
        return (Array(ids), ids.count == limit ? ids.last : nil)
    }
}

private actor HandmadeAuction {
    private(set) var state: Auction
    private let bank: Bank
    private var watchers: [AsyncStream<Auction>.Continuation] = []

    init(id: String, bank: Bank) { (state, self.bank) = (Auction(id: id), bank) }

    func watch(_ continuation: AsyncStream<Auction>.Continuation) {
        watchers.append(continuation)
        continuation.yield(state)
    }

    func handle(_ event: Auction.Event) throws(Refusal) {
        switch event {
        case .open(let title, let minimum, let closesAt):
            guard state.phase == .missing else { throw Refusal(status: 409, reason: "the auction exists already") }
            (state.title, state.minimum, state.closesAt, state.phase) = (title, minimum, closesAt, .open)
        case .bid(let bid):
            guard state.phase == .open else { throw Refusal(status: 409, reason: "the auction is not open") }
            guard bid.amount >= state.minimum else { throw Refusal(status: 409, reason: "the least bid is \(state.minimum)") }
            if let highest = state.highest, bid.amount <= highest.amount {
                throw Refusal(status: 409, reason: "the highest bid is \(highest.amount)")
            }
            (state.highest, state.bids) = (bid, state.bids + 1)
        case .close:
            guard state.phase == .open else { throw Refusal(status: 409, reason: "the auction is not open") }
            state.phase = state.highest == nil ? .unsold : .paying
            if let winner = state.highest { Task { await pay(winner) } }
        case .pay: throw Refusal(status: 409, reason: "there is nothing to pay")
        }
        for watcher in watchers { watcher.yield(state) }
    }

    private func pay(_ winner: Auction.Bid) async {
        do { (state.receipt, state.phase) = (try await bank.pay(winner, key: state.id), .paid) } catch {
            (state.reason, state.phase) = ("\(error)", .unpaid)
        }
        for watcher in watchers { watcher.yield(state) }
    }
}
