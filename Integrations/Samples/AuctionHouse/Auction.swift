package import Moonlight

/// An auction: bids while it is open, then the payment by the winner.
package struct Auction: Equatable, Sendable, Codable {
    package enum Phase: String, Sendable, Codable {
        /// The auction has not been opened.
        case missing
        case open
        /// The auction is closed, and the winner's payment is in flight.
        case paying
        case paid
        /// The payment failed, and can be tried again.
        case unpaid
        /// The auction was closed without a bid.
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
    /// The minimum of the first bid.
    package var minimum = 0
    package var phase = Phase.missing
    package var highest: Bid?
    package var bids = 0
    /// The time at which the auction closes by itself.
    package var closesAt: WallTime?
    package var receipt: String?
    /// The reason why the payment failed.
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
        /// Charges the winner. The idempotency key is the same for every attempt.
        package var pay: @Sendable (Bid, _ key: String) async throws -> String
        /// The time of day.
        package var now: @Sendable () -> WallTime

        package init(
            pay: @escaping @Sendable (Bid, _ key: String) async throws -> String,
            now: @escaping @Sendable () -> WallTime = { .now }
        ) {
            self.pay = pay
            self.now = now
        }
    }
}
