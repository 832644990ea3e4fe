import Moonlight
import MoonlightTestSupport
import Streams

/// An auction on a server: bids are accepted or rejected at once, payments take time and must not be lost, and a price list is
/// followed while the auction is open.
struct Auction: Equatable, Sendable {
    var isOpen = true
    var highest = 0
    var bids = 0
    var paid: [Int] = []
    var rate = 1

    enum Event: Sendable {
        case bid(Int)
        case pay(Int)
        case rate(Int)
        case close
    }
    enum Effect: Sendable {
        case accepted(Int)
        case paid(Int)
        case rated(Int)
        case closed
    }

    /// The environment of the auction; the test makes payments and sends rates.
    struct World: Sendable {
        /// Pays, and reports it; cannot be cancelled.
        var pay: @Sendable (Int) async -> Void
        var rates: AnyPublisher<Int, Never>
    }

    static let reducer = Reducer<Auction, Event, Effect, World>(
        transform: { auction, event, world in
            switch event {
            case .bid(let amount):
                guard auction.isOpen else { throw Rejection("the auction is closed") }
                guard amount > auction.highest else { throw Rejection("the highest bid is \(auction.highest)") }
                return .just(.accepted(amount))
            case .pay(let amount):
                return .run { send in
                    await world.pay(amount)
                    send(.paid(amount))
                }.job("pay", .merge(limit: 2)).eraseToAnyPublisher()
            case .rate(let rate): return .just(.rated(rate))
            case .close: return .just(.closed)
            }
        },
        apply: { (auction: inout Auction, effect: Effect) in
            switch effect {
            case .accepted(let amount): (auction.highest, auction.bids) = (amount, auction.bids + 1)
            case .paid(let amount): auction.paid.append(amount)
            case .rated(let rate): auction.rate = rate
            case .closed: auction.isOpen = false
            }
        })

    static func store(_ world: World, _ options: LoopOptions<Auction, Event, Effect>) -> Store<Auction, Event> {
        Store(
            reducer: reducer, initialState: Auction(), environment: world, options: options,
            feedback: { states in
                [states.react(when: { $0.isOpen }) { world.rates.map(Event.rate).untilDraining() }.eraseToAnyPublisher()]
            })
    }
}
