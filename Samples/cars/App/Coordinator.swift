import Moonlight
import Streams

extension App {
    /// Decides what is shown. Modules say what was asked for; none of them knows another.
    static let coordinator = Reducer<App, AppEvent, AppEffect, Actions>(
        transform: { state, event, _ in
            switch event {
            case .list(.open):
                guard state.route.isEmpty else { throw Rejection("the list is not in front") }
                return push(state.list.current.map { .details(CarDetails($0)) })
            case .details(.order):
                guard state.order == nil else { throw Rejection("the form is open already") }
                return push(state.details.map { .order(OrderForm(car: $0.car, colour: $0.colour)) })
            case .back:
                if state.route.isEmpty { throw Rejection("there is nothing to go back to") }
                if state.order?.isSending == true { throw Rejection("the order is being sent") }
                return Just(.popped).eraseToAnyPublisher()
            case .ordered(let order): return Just(.returned(order)).eraseToAnyPublisher()
            case .load, .list, .details, .order: return Empty().eraseToAnyPublisher()
            }
        },
        apply: { (state: inout App, effect: AppEffect) in
            switch effect {
            case .pushed(let page):
                state.route.append(page)
                state.notice = nil
            case .popped: state.route.removeLast()
            case .returned(let order):
                state.route = []
                state.notice = "Order \(order.number): \(order.car.name) in \(order.colour) for \(order.customer)"
            case .loading, .loaded, .loadingFailed, .list, .details, .order: break
            }
        })

    /// Of a car that is not there, nothing is shown: its module refuses the event.
    private static func push(_ page: Page?) -> AnyPublisher<AppEffect, Never> {
        page.map(AppEffect.pushed).publisher.eraseToAnyPublisher()
    }
}
