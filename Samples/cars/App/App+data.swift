import MoonFoundation
import Moonlight
import Streams

extension App {
    /// Loads the data, and keeps it.
    static let dataReducer = Reducer<App, AppEvent, AppEffect, Actions>(
        transform: { _, event, actions in
            guard event == .load else { return Empty().eraseToAnyPublisher() }
            return AnyPublisher.run { send in
                do throws(DataError) {
                    let cars = try await actions.getCars()
                    let orders = try await actions.getOrders()
                    send(.loaded(cars, orders))
                } catch {
                    send(.loadingFailed(error))
                }
            }
            .prepend(.loading)
            .job("load", .latest)
            .eraseToAnyPublisher()
        },
        apply: { (state: inout App, effect: AppEffect) in
            switch effect {
            case .loading:
                state.data.cars.startLoading()
                state.data.placedMeanwhile = []
            case .loaded(let cars, let orders):
                let placed = state.data.placedMeanwhile
                state.data = AppData(cars: .loaded(Sections(grouping: cars, by: \.make)), orders: orders)
                for order in placed { state.data.add(order) }
            case .loadingFailed(let error): state.data.cars.finish(with: .failure(error))
            case .returned(let order):
                state.data.add(order)
                if state.data.cars.isLoading { state.data.placedMeanwhile.append(order) }
            case .pushed, .popped, .list, .details, .order: break
            }
        })
}
