import AuctionHouse
import Moonlight
import MoonlightDurability

/// The interface between routes and auctions.
protocol House: Sendable {
    var isDurable: Bool { get }
    func send(_ event: Auction.Event, to id: String, key: String?) async throws(Refusal)
    func state(of id: String) async throws(Refusal) -> Auction
    func states(of id: String) -> AsyncStream<Auction>
    func ids(after cursor: String?, limit: Int) async throws -> (ids: [String], next: String?)
}

/// The reason why an event was rejected, for clients.
struct Refusal: Error {
    let status: Int
    let reason: String
}

extension AuctionHouse: House {
    func send(_ event: Auction.Event, to id: String, key: String?) async throws(Refusal) {
        do throws(FleetError) { try await decide(event, of: id, key: key) } catch { throw Refusal(error) }
    }

    func state(of id: String) async throws(Refusal) -> Auction {
        do throws(FleetError) { return try await fleet.state(of: id) } catch { throw Refusal(error) }
    }

    func states(of id: String) -> AsyncStream<Auction> { fleet.states(of: id, keepsAwake: true) }

    func ids(after cursor: String?, limit: Int) async throws -> (ids: [String], next: String?) {
        let page = try await fleet.ids(after: cursor, limit: limit)
        return (page.ids, page.next)
    }
}

extension Refusal {
    init(_ error: FleetError) {
        switch error {
        case .send(_, .rejected(let reason)):
            self.init(status: 409, reason: (reason as? Rejection)?.reason ?? "\(reason)")
        case .send(_, .overflow): self.init(status: 429, reason: "too many bids wait for this auction")
        case .send(_, let error): self.init(status: 503, reason: "\(error)")
        case .invalidID: self.init(status: 400, reason: "\(error)")
        default: self.init(status: 503, reason: "\(error)")
        }
    }
}
