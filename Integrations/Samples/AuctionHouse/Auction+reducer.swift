package import Moonlight
import Streams

extension Auction {
    /// Decides an event, and then starts the payment in the same step: an auction is never closed without its payment in flight.
    package static let reducer = deciding.combined(with: paying)

    private static let deciding = Reducer<Auction, Event, Effect, World>(
        transform: { auction, event, world in
            switch event {
            case .open(let title, let minimum, let closesAt):
                guard auction.phase == .missing else { throw Rejection("the auction exists already") }
                return .just(.opened(title: title, minimum: minimum, closesAt: closesAt))
            case .bid(let bid):
                guard auction.phase == .open else { throw Rejection("the auction is not open") }
                // The alarm may be late, for instance after the server was started again.
                if let end = auction.closesAt, end <= world.now() { throw Rejection("the auction is not open") }
                guard bid.amount >= auction.minimum else { throw Rejection("the least bid is \(auction.minimum)") }
                if let highest = auction.highest, bid.amount <= highest.amount {
                    throw Rejection("the highest bid is \(highest.amount)")
                }
                return .just(.accepted(bid))
            case .close:
                guard auction.phase == .open else { throw Rejection("the auction is not open") }
                return .just(.closed)
            case .pay:
                guard let winner = auction.highest, auction.phase == .paying || auction.phase == .unpaid else {
                    throw Rejection("there is nothing to pay")
                }
                return payment(of: winner, key: auction.id, world).job("payment", .ignoreNew).eraseToAnyPublisher()
            }
        },
        apply: { (auction: inout Auction, effect: Effect) in
            switch effect {
            case .opened(let title, let minimum, let closesAt):
                (auction.title, auction.minimum, auction.closesAt) = (title, minimum, closesAt)
                auction.phase = .open
            case .accepted(let bid): (auction.highest, auction.bids) = (bid, auction.bids + 1)
            case .closed: (auction.phase, auction.closesAt) = (auction.highest == nil ? .unsold : .paying, nil)
            case .payBegan: (auction.phase, auction.reason) = (.paying, nil)
            case .paid(let receipt): (auction.phase, auction.receipt) = (.paid, receipt)
            case .unpaid(let reason): (auction.phase, auction.reason) = (.unpaid, reason)
            }
        })

    /// Charges the winner when the auction is closed. The payment is not part of the stream of `closed`, so that its sender is
    /// answered as soon as the auction is closed.
    private static let paying = Reducer<Auction, Event, Effect, World>(
        transform: { auction, event, world in
            guard case .close = event, let winner = auction.highest else { return .none }
            return payment(of: winner, key: auction.id, world).job("payment", .ignoreNew).eraseToAnyPublisher()
        },
        apply: { (_: inout Auction, _: Effect) in })

    private static func payment(of winner: Bid, key: String, _ world: World) -> AnyPublisher<Effect, Never> {
        .run { send in
            send(.payBegan)
            do {
                let receipt = try await world.pay(winner, key)
                send(.paid(receipt: receipt))
            } catch {
                // An interrupted payment is started again when the auction is woken.
                if !Task.isCancelled { send(.unpaid(reason: "\(error)")) }
            }
        }
    }
}
