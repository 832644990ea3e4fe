import MoonFoundation
import Moonlight
import Streams

/// The state of the app: the data, the route, and the states of the modules.
struct App: Equatable, Sendable {
    var cars = Loadable<Sections<String, Car>, DataError>.idle
    var orders: [Order] = []
    var selected: Car.ID?
    /// The modules above the list, the topmost last. Only the coordinator changes it.
    var route: [Page] = []
    var notice: String?
}

enum Page: Equatable, Sendable {
    case details(CarDetails)
    case order(OrderForm)
}

enum AppEvent: Equatable, Sendable {
    case load
    case back
    /// The result of the form.
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
    case loaded([Car])
    case loadingFailed(DataError)
    case pushed(Page)
    case popped
    case returned(Order)
    case list(CarList.Effect)
    case details(CarDetails.Effect)
    case order(OrderForm.Effect)

    static let list = CasePath(AppEffect.list) { if case .list(let effect) = $0 { effect } else { nil } }
    static let details = CasePath(AppEffect.details) { if case .details(let effect) = $0 { effect } else { nil } }
    static let order = CasePath(AppEffect.order) { if case .order(let effect) = $0 { effect } else { nil } }
}

extension App {
    static let reducer = Reducer.combine(
        data, coordinator,
        CarList.reducer.scoped(to: \.list, event: AppEvent.list, effect: AppEffect.list, environment: { _ in }),
        CarDetails.reducer.scoped(
            toOptional: \.details, event: AppEvent.details, effect: AppEffect.details, environment: { _ in }),
        OrderForm.reducer.scoped(
            toOptional: \.order, event: AppEvent.order, effect: AppEffect.order, environment: { $0.order },
            // A form with a result is finished.
            result: { $0.placed.map(AppEvent.ordered) }))

    /// Loads the cars.
    static let data = Reducer<App, AppEvent, AppEffect, World> { _, event, world in
        guard event == .load else { return .none }
        return .run {
            .loaded(try await world.cars())
        } catch: {
            .loadingFailed(DataError("\($0)"))
        }.job("load").prepend(.loading)
    } apply: { state, effect in
        switch effect {
        case .loading: state.cars.startLoading()
        case .loaded(let cars): state.cars = .loaded(Sections(grouping: cars, by: \.make))
        case .loadingFailed(let error): state.cars.finish(with: .failure(error))
        default: break
        }
    }

    /// Decides which module is shown. Modules send requests, and are independent of one another.
    static let coordinator = Reducer<App, AppEvent, AppEffect, World> { state, event, _ in
        switch event {
        case .list(.open):
            guard state.route.isEmpty, let car = state.list.current else { return .none }
            return .just(.pushed(.details(CarDetails(car: car))))
        case .details(.order):
            guard state.order == nil, let details = state.details else { return .none }
            return .just(.pushed(.order(OrderForm(car: details.car, colour: details.colour))))
        case .back:
            if state.route.isEmpty { throw Rejection("there is nothing to go back to") }
            if state.order?.isSending == true { throw Rejection("the order is being sent") }
            return .just(.popped)
        case .ordered(let order): return .just(.returned(order))
        default: return .none
        }
    } apply: { state, effect in
        switch effect {
        case .pushed(let page):
            state.route.append(page)
            state.notice = nil
        case .popped: state.route.removeLast()
        case .returned(let order):
            state.route = []
            state.orders.append(order)
            state.notice = "Order \(order.number): \(order.car.name) in \(order.colour) for \(order.customer)"
        default: break
        }
    }
}

// The state of each module in the app.
extension App {
    var list: CarList {
        get { CarList(cars: cars, orders: orders, selected: selected) }
        set { selected = newValue.selected }
    }

    var details: CarDetails? {
        get { route.lazy.compactMap { if case .details(let details) = $0 { details } else { nil } }.first }
        set { replace(newValue.map(Page.details)) { if case .details = $0 { true } else { false } } }
    }

    var order: OrderForm? {
        get { route.lazy.compactMap { if case .order(let form) = $0 { form } else { nil } }.first }
        set { replace(newValue.map(Page.order)) { if case .order = $0 { true } else { false } } }
    }

    private mutating func replace(_ page: Page?, where isIt: (Page) -> Bool) {
        guard let index = route.firstIndex(where: isIt) else { return }
        if let page { route[index] = page } else { route.remove(at: index) }
    }
}
