import Moonlight
import Streams

extension Basket {
    /// The scenario: what follows from what the user does. Each work is awaited where it is needed, its result is a `let`, and
    /// each way to fail is a `catch`.
    @Sendable static func scenario(
        state: Basket, event: BasketEvent, environment: BasketEnvironment
    ) throws -> AnyPublisher<BasketEffect, Never> {
        if state.isBuying { throw Rejection("the order is on its way") }
        switch event {
        case .loadPressed:
            return work { send in
                send(.loading)
                do throws(BasketError) {
                    let items = try await environment.loadItems()
                    send(.itemsPresented(items))
                } catch {
                    send(.loadingFailed(error))
                }
            }

        case .countPlusPressed(let id):
            let item = try state.item(id)
            if item.amount == CartItem.amounts.upperBound { throw Rejection("there is no room for more") }
            return update { () throws(BasketError) in try await environment.increaseAmount(item.id) }

        case .countMinusPressed(let id):
            let item = try state.item(id)
            if item.amount == CartItem.amounts.lowerBound { throw Rejection("it is the last one: delete it") }
            return update { () throws(BasketError) in try await environment.decreaseAmount(item.id) }

        case .checkMarkPressed(let id, let isChecked):
            _ = try state.item(id)
            return update { () throws(BasketError) in try await environment.updateCheckbox(id, isChecked) }

        case .tableItemPressed(let id):
            _ = try state.item(id)
            return work { send in
                do throws(BasketError) {
                    let items = try await environment.loadItems()
                    send(.itemsPresented(items))
                    guard let item = items.first(where: { $0.id == id }) else { throw .gone(id) }
                    send(.detailsPresented(item))
                } catch {
                    send(.connectionFailed(error))
                }
            }

        case .detailsClosed:
            if state.details == nil { throw Rejection("no details are open") }
            return Just(.detailsClosed).eraseToAnyPublisher()

        case .deleteItemPressed(let id):
            _ = try state.item(id)
            return Just(.deleteAsked(id)).eraseToAnyPublisher()

        case .confirmDelete:
            guard let id = state.pendingDelete else { throw Rejection("nothing is to be deleted") }
            return work { send in
                do throws(BasketError) {
                    try await environment.deleteItem(id)
                } catch {
                    return send(.deleteFailed(error))
                }
                send(await whatIsLeft(environment))
            }
            .prepend(.deleteAnswered)
            .eraseToAnyPublisher()

        case .cancelDelete:
            if state.pendingDelete == nil { throw Rejection("nothing is to be deleted") }
            return Just(.deleteAnswered).eraseToAnyPublisher()

        case .buyButtonPressed:
            let ids = state.checked.map(\.id)
            if ids.isEmpty { throw Rejection("nothing is checked") }
            return work { send in
                let order: Order
                do throws(BasketError) {
                    order = try await environment.postOrder(ids)
                } catch {
                    return send(.buyFailed(error))
                }
                send(await whatIsLeft(environment))
                send(.bought(order))
            }
            .prepend(.buying)
            .eraseToAnyPublisher()

        case .selectionMoved(let move):
            guard let items = state.items.value, let current = state.current else {
                throw Rejection("the basket is empty")
            }
            let position = move.index(from: items.position(of: current.id) ?? 0, count: items.count)
            return Just(.selected(items.id(at: position))).eraseToAnyPublisher()
        }
    }

    /// Works wait for each other: what was asked for first is done first.
    private static func work(
        _ body: @escaping @Sendable (Send<BasketEffect>) async -> Void
    ) -> AnyPublisher<BasketEffect, Never> {
        AnyPublisher.run { send in await body(send) }.job("basket", .queue).eraseToAnyPublisher()
    }

    /// Has an item updated. Until then it is shown as it is: if that fails, there is nothing to take back.
    private static func update(
        _ update: @escaping @Sendable () async throws(BasketError) -> CartItem
    ) -> AnyPublisher<BasketEffect, Never> {
        work { send in
            do throws(BasketError) {
                let item = try await update()
                send(.itemUpdated(item))
            } catch {
                send(.connectionFailed(error))
            }
        }
    }

    /// What is in the basket after something has left it. If that cannot be loaded, what has been done is done all the same.
    private static func whatIsLeft(_ environment: BasketEnvironment) async -> BasketEffect {
        do throws(BasketError) {
            return .itemsPresented(try await environment.loadItems())
        } catch {
            return .loadingFailed(error)
        }
    }

    private func item(_ id: CartItem.ID) throws -> CartItem {
        guard let item = items.value?[id: id] else { throw Rejection("there is no item \(id)") }
        return item
    }
}
