package import Moonlight

/// An auction: bids as long as it is open, then the payment of whoever has won.
package struct Auction: Equatable, Sendable, Codable {
    package enum Phase: String, Sendable, Codable {
        /// Nobody has opened it yet.
        case missing
        case open
        /// It is closed, and the winner's payment is on its way.
        case paying
        case paid
        /// The payment has failed; it can be tried again.
        case unpaid
        /// It is closed, and nobody has bid.
        case unsold
    }

    package struct Bid: Equatable, Sendable, Codable {
        package let bidder: String
        package let amount: Int

        package init(bidder: String, amount: Int) {
            self.bidder = bidder
            self.amount = amount
        }
    }

    package let id: String
    package var title = ""
    /// The least amount of the first bid.
    package var minimum = 0
    package var phase = Phase.missing
    package var highest: Bid?
    package var bids = 0
    /// The time at which it closes by itself.
    package var closesAt: WallTime?
    package var receipt: String?
    /// The reason for which it is unpaid.
    package var reason: String?

    package init(id: String) { self.id = id }

    package enum Event: Sendable, Codable, Equatable {
        case open(title: String, minimum: Int, closesAt: WallTime?)
        case bid(Bid)
        case close
        case pay
    }

    package enum Effect: Sendable, Codable, Equatable {
        case opened(title: String, minimum: Int, closesAt: WallTime?)
        case accepted(Bid)
        case closed
        case payBegan
        case paid(receipt: String)
        case unpaid(reason: String)
    }

    /// The environment of an auction.
    package struct World: Sendable {
        /// Has the winner pay; the key is the same each time that it is tried.
        package var pay: @Sendable (Bid, _ key: String) async throws -> String

        package init(pay: @escaping @Sendable (Bid, _ key: String) async throws -> String) { self.pay = pay }
    }
}
