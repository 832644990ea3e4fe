import MoonFoundation
import Moonlight

/// The whole: the data, what is shown, and what each module remembers.
struct App: Equatable, Sendable {
    var data = AppData()
    /// Where in the list the user is.
    var selected: Car.ID?
    /// What is shown above the list, the topmost last: the coordinator's.
    var route: [Page] = []
    /// What there is to say.
    var notice: String?
}

/// The app's data: what modules get as their parameters.
struct AppData: Equatable, Sendable {
    /// The cars, in sections by who makes them.
    var cars = Loadable<Sections<String, Car>, DataError>.idle
    var orders: [Order] = []
    /// The orders that were placed since loading began: what is loaded may be with them or without.
    var placedMeanwhile: [Order] = []

    /// Adds an order, unless it is there already.
    mutating func add(_ order: Order) {
        if !orders.contains(where: { $0.number == order.number }) { orders.append(order) }
    }
}

/// What may be shown above the list.
enum Page: Equatable, Sendable {
    case details(CarDetails)
    case order(OrderForm)
}

enum AppEvent: Equatable, Sendable {
    case load
    case back
    /// An order was placed: the result of the form.
    case ordered(Order)
    case list(CarList.Event)
    case details(CarDetails.Event)
    case order(OrderForm.Event)

    static let list = CasePath(AppEvent.list) { if case .list(let event) = $0 { event } else { nil } }
    static let details = CasePath(AppEvent.details) { if case .details(let event) = $0 { event } else { nil } }
    static let order = CasePath(AppEvent.order) { if case .order(let event) = $0 { event } else { nil } }
}

enum AppEffect: Equatable, Sendable {
    case loading
    case loaded([Car], [Order])
    case loadingFailed(DataError)
    case pushed(Page)
    case popped
    /// Back to the list, with an order.
    case returned(Order)
    case list(CarList.Effect)
    case details(CarDetails.Effect)
    case order(OrderForm.Effect)

    static let list = CasePath(AppEffect.list) { if case .list(let effect) = $0 { effect } else { nil } }
    static let details = CasePath(AppEffect.details) { if case .details(let effect) = $0 { effect } else { nil } }
    static let order = CasePath(AppEffect.order) { if case .order(let effect) = $0 { effect } else { nil } }
}

/// All that the app can have done. A module gets what it needs of it, and no more.
struct Actions: Sendable {
    var getCars: @Sendable () async throws(DataError) -> [Car]
    var getOrders: @Sendable () async throws(DataError) -> [Order]
    var makeOrder: @Sendable (Order) async throws(DataError) -> Order
}
