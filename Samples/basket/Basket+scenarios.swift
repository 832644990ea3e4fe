import Moonlight
import Streams

extension Basket {
    static let reducer = Reducer<Basket, BasketEvent, BasketEffect, Works>(transform: scenarios) { state, effect in
        if case .selected = effect {} else { state.note = nil }
        switch effect {
        case .loading: state.items.startLoading()
        case .loaded(let items):
            state.items = .loaded(IdentifiedList(items))
            state.selected = max(0, min(state.selected, items.count - 1))
        case .loadingFailed(let error): state.items.finish(with: .failure(error))
        case .selected(let index): state.selected = index
        case .updated(let item):
            var list = state.list
            list.update(id: item.id) { $0 = item }
            state.items = .loaded(list)
        case .asked(let id): state.doomed = id
        case .buying: state.isBuying = true
        case .bought(let total):
            state.isBuying = false
            state.note = "Bought for \(money(total))"
        case .failed(let reason):
            state.isBuying = false
            state.note = reason
        }
    }

    /// Returns the effects of an event. The result of a call is a `let`, and a failure goes to `catch`.
    @Sendable static func scenarios(
        state: Basket, event: BasketEvent, works: Works
    ) throws -> AnyPublisher<BasketEffect, Never> {
        if state.isBuying { throw Rejection("the order is on its way") }
        switch event {
        case .load:
            return .run {
                .loaded(try await works.load())
            } catch: {
                .loadingFailed(BasketError(description: "\($0)"))
            }
            .prepend(.loading).queued
        case .select(let move): return .just(.selected(move.index(from: state.selected, count: state.list.count)))
        case .plus(let id): return try state.save(id, works.add)
        case .minus(let id):
            if try state.item(id).amount == 1 { throw Rejection("it is the last one: delete it") }
            return try state.save(id, works.subtract)
        case .check(let id): return try state.save(id, works.check)
        case .delete(let id): return try .just(.asked(state.item(id).id))
        case .keep: return .just(.asked(nil))
        case .confirm:
            guard let id = state.doomed else { throw Rejection("nothing is to be deleted") }
            return .run { send in
                try await works.delete(id)
                send(.loaded(try await works.load()))
            } catch: {
                .failed("not deleted: \($0)")
            }
            .prepend(.asked(nil)).queued
        case .buy:
            return .run { send in
                let ordered = try await works.order()
                send(.loaded(try await works.load()))
                send(.bought(total: price(of: ordered)))
            } catch: {
                .failed("not bought: \($0)")
            }
            .prepend(.buying).queued
        }
    }

    /// Changes an item. The old item is shown until the new one is saved, so that a failure needs no rollback.
    private func save(
        _ id: CartItem.ID, _ change: @escaping @Sendable (CartItem.ID) async throws -> CartItem
    ) throws -> AnyPublisher<BasketEffect, Never> {
        _ = try item(id)
        return .run {
            .updated(try await change(id))
        } catch: {
            .failed("not saved: \($0)")
        }.queued
    }

    private func item(_ id: CartItem.ID) throws -> CartItem {
        guard let item = list[id: id] else { throw Rejection("there is no item \(id)") }
        return item
    }
}

extension AnyPublisher<BasketEffect, Never> {
    /// A job that runs scenarios one after another.
    fileprivate var queued: AnyPublisher { job("basket", .queue) }
}
