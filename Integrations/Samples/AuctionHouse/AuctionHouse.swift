internal import Moonlight
package import MoonlightDurability
package import MoonlightPostgreSQL

/// Auctions by their ids: in a folder, in PostgreSQL, or in memory.
package final class AuctionHouse: Sendable {
    package enum Place: Sendable {
        case folder(String)
        case postgreSQL(PostgreSQL)
        /// In memory, for measurements: nothing survives the process, and idempotency keys are not stored.
        case memory
    }

    package let fleet: Fleet<String, Auction, Auction.Event>
    package let isDurable: Bool
    /// The recorder of inspected auctions; nil in memory.
    package let recorder: Recorder?

    /// - Parameters:
    ///   - place: The storage of the auctions.
    ///   - bank: The payment service.
    ///   - waiting: The number of bids that may be queued for one auction.
    package init(_ place: Place, bank: Bank, waiting: Int = 256) {
        let world = Auction.World { try await bank.pay($0, key: $1) }
        let storage: (any FleetStorage)? =
            switch place {
            case .folder(let path): FleetFolder(path)
            case .postgreSQL(let database): PostgreSQLFleetStorage("auctions", in: database)
            case .memory: nil
            }
        isDurable = storage != nil
        guard let storage else {
            recorder = nil
            fleet = Fleet(
                reducer: Auction.reducer, environment: { _ in world }, resident: 1_000_000, initialState: { Auction(id: $0) })
            return
        }
        let recorder = Recorder()
        self.recorder = recorder
        fleet = Fleet(
            reducer: Auction.reducer, environment: { _ in world },
            durable: DurableFleet(
                storage: storage, schema: Schema(Auction.Effect.self), state: Schema(Auction.self),
                events: Schema(Auction.Event.self)),
            inbox: .reject(waiting), alarm: FleetAlarm(at: \.closesAt) { _ in .close },
            options: { id in LoopOptions(journal: { [recorder] record in recorder.take(record, of: id) }) },
            // The only work is a payment.
            interrupted: { _, _ in .send(.pay) },
            initialState: { Auction(id: $0) })
    }

    /// Sends an event to an auction. Returns when the event is decided and, if the house is durable, in the log.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The auction.
    ///   - key: An idempotency key: the event is applied once, however often it is sent.
    package func decide(_ event: Auction.Event, of id: String, key: String? = nil) async throws(FleetError) {
        if let key, isDurable {
            try await fleet.send(event, to: id, key: key, until: .decided)
        } else {
            try await fleet.send(event, to: id, until: .decided)
        }
    }
}
