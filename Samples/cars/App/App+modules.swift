import Moonlight

// Where in the app each module's state is: what it reads is handed in, what it has written is kept.
extension App {
    /// The list, which is always there.
    var list: CarList {
        get {
            let orders = Dictionary(grouping: data.orders, by: \.car.id).mapValues(\.count)
            return CarList(parameters: .init(cars: data.cars, orders: orders), selected: selected)
        }
        set { selected = newValue.selected }
    }

    /// The details, while they are on the route.
    var details: CarDetails? {
        get { route.lazy.compactMap { if case .details(let details) = $0 { details } else { nil } }.first }
        set { replace(newValue.map(Page.details)) { if case .details = $0 { true } else { false } } }
    }

    /// The form, while it is on the route.
    var order: OrderForm? {
        get { route.lazy.compactMap { if case .order(let form) = $0 { form } else { nil } }.first }
        set { replace(newValue.map(Page.order)) { if case .order = $0 { true } else { false } } }
    }

    /// What is shown.
    var screen: ModuleScreen {
        switch route.last {
        case nil: list.screen
        case .details(let details): details.screen
        case .order(let form): form.screen
        }
    }

    private mutating func replace(_ page: Page?, where isIt: (Page) -> Bool) {
        guard let index = route.firstIndex(where: isIt) else { return }
        if let page { route[index] = page } else { route.remove(at: index) }
    }
}

extension App {
    /// The app: its data, its coordinator, and its modules.
    static let reducer = Reducer.combine(
        dataReducer,
        coordinator,
        CarList.reducer.scoped(to: \.list, event: AppEvent.list, effect: AppEffect.list, environment: { _ in }),
        CarDetails.reducer.scoped(
            toOptional: \.details, event: AppEvent.details, effect: AppEffect.details, environment: { _ in }),
        OrderForm.reducer.scoped(
            toOptional: \.order, event: AppEvent.order, effect: AppEffect.order,
            environment: { OrderForm.Actions(makeOrder: $0.makeOrder) },
            result: { $0.placed.map(AppEvent.ordered) }))
}
