import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams
import Testing

// The blocks of the page "Choosing what to explore", line for line, compiled and run.

private struct Order: Hashable, Sendable {
    enum Phase: Int { case open, paying, paid, failed }
    var phase = Phase.open
    var items = 0
}

private enum OrderEvent: Hashable, Sendable { case add, pay, cancel }
private enum OrderEffect: Hashable, Sendable { case added, asked, paid, failed, cancelled }
private struct Bank: Sendable { var charge: @Sendable (Int) async throws -> String }
private struct Declined: Error, Equatable {}
private struct Offline: Error, Equatable {}

private let charge = Stub<Int, String, any Error>("charge")
private let prices = Stub<String, Int, Offline>("prices")

private let checkout = Reducer<Order, OrderEvent, OrderEffect, Bank>(
    transform: { order, event, bank in
        switch event {
        case .add:
            guard order.phase == .open else { throw Rejection("the order is closed") }
            return .just(.added)
        case .pay:
            guard order.phase == .open, order.items > 0 else { throw Rejection("there is nothing to pay") }
            return .run { send in
                send(.asked)
                _ = try await bank.charge(order.items)
                send(.paid)
            } catch: { _ in
                .failed
            }.job("pay", .ignoreNew).eraseToAnyPublisher()
        case .cancel:
            return .cancelJob("pay").append(.cancelled).eraseToAnyPublisher()
        }
    },
    apply: { order, effect in
        switch effect {
        case .added: order.items += 1
        case .asked: order.phase = .paying
        case .paid: order.phase = .paid
        case .failed: order.phase = .failed
        case .cancelled: order = Order()
        }
    })

@Suite("Page: Choosing what to explore")
struct ChoosingWhatToExplorePage {
    @Test("An exploration with events of the state, answers, expected refusals and properties is exhaustive")
    func order() throws {
        let exploration = Exploration(checkout, given: Order()) { Bank(charge: $0.async(charge)) }
            .events { order in
                order.items < 2 ? [.add, .pay, .cancel] : [.pay, .cancel]
            }
            .answers(charge, with: ["receipt"], failing: [Declined()], never: true)
            .allowingRefusals { $0 is Rejection }
            .never("an empty order is paid") { $0.phase == .paid && $0.items == 0 }
            .whenQuiet("nothing is being paid") { $0.phase != .paying }
            .canAlways("start again", to: { $0 == Order() })
        let report = try exploration.run()
        #expect(report.extent == .exhaustive)
    }

    private func endless() -> Exploration<Order, OrderEvent, OrderEffect, Bank> {
        Exploration(checkout, given: Order()) { Bank(charge: $0.async(charge)) }
            .events([.add, .pay, .cancel]).answers(charge, with: ["receipt"]).allowingRefusals()
    }

    @Test("Nodes are distinguished by the key of the state")
    func key() throws {
        let exploration = Exploration(
            checkout, given: Order(), key: { [$0.phase.rawValue, $0.items] },
            environment: { Bank(charge: $0.async(charge)) })
        let listed = exploration.events { $0.items < 2 ? [.add, .pay] : [.pay] }.answers(charge, with: ["receipt"])
            .allowingRefusals()
        // None to two items; one or two in three phases.
        #expect(try listed.run().states == 7)
    }

    @Test("An exploration does not exceed the depth that it is limited to")
    func depth() throws {
        let exploration = endless()
        let report = try exploration.limited(nodes: 20_000, depth: 12).run()
        #expect(report.depth <= 12)
        #expect(report.extent != .exhaustive)
    }

    @Test("A stream sends values before it ends")
    func streams() throws {
        let watching = Reducer<[Int], String, Int, @Sendable (String) -> AnyPublisher<Int, Offline>>(
            transform: { _, name, prices in prices(name).catch { _ in Just(-1) }.eraseToAnyPublisher() },
            apply: { (state: inout [Int], price: Int) in state.append(price) })
        let report = try Exploration(watching, given: []) { $0.publisher(prices) }
            .events(["moon"], atMost: 1)
            .answers(prices, atMost: 2) { _ in [.send(10), .send(12), .finish, .failure(Offline())] }
            .run()
        // No price; one of two, or four pairs; each with or without a failure after it.
        #expect(report.states == 2 * (1 + 2 + 4))
        #expect(report.extent == .exhaustive)
    }
}
