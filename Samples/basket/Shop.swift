import MoonFoundation
import SampleSupport
import Synchronization

/// The basket's file, and what can be done to it. Each change reads the file, and writes it whole or not at all.
final class Shop: Sendable {
    /// Where the basket is.
    let path: String
    private let store: FileStore
    private let name: String
    /// Held from reading to writing, so that no change is lost.
    private let change = Mutex(())

    /// The basket of a name in a folder of values.
    init(_ store: FileStore, named name: String) {
        self.store = store
        self.name = name
        path = "\(store.folder)/\(name).json"
    }

    /// What is in the file; a new one is begun if there is none.
    func cart() throws(BasketError) -> Cart {
        try locked { () throws(FileStoreError) in
            do throws(FileStoreError) {
                return try store.read(named: name)
            } catch .notFound {
                try store.write(Cart.starter, named: name)
                return .starter
            }
        }
    }

    /// Changes an item, and tells what it is then.
    func update(_ id: CartItem.ID, _ body: (inout CartItem) -> Void) throws(BasketError) -> CartItem {
        let item = try update { cart in
            cart.items.update(id: id) { item in
                body(&item)
                return item
            }
        }
        guard let item else { throw .gone(id) }
        return item
    }

    /// Takes an item out.
    func delete(_ id: CartItem.ID) throws(BasketError) {
        if try update({ $0.items.remove(id: id) }) == nil { throw .gone(id) }
    }

    /// Makes an order of items, which leave the basket: in one write, so that no item is in both.
    func order(_ ids: [CartItem.ID]) throws(BasketError) -> Order {
        var missing: CartItem.ID?
        let order = try update { cart -> Order? in
            missing = ids.first { cart.items[id: $0] == nil }
            if missing != nil { return nil }
            let number = (cart.orders.map(\.number).max() ?? 0) + 1
            let order = Order(number: number, items: ids.compactMap { cart.items.remove(id: $0) })
            cart.orders.append(order)
            return order
        }
        if let order { return order }
        throw .gone(missing ?? 0)
    }

    /// Changes the file.
    ///
    /// - Parameter body: Changes what is in it; if it returns nil, nothing is written.
    private func update<Value>(_ body: (inout Cart) -> Value?) throws(BasketError) -> Value? {
        try locked { () throws(FileStoreError) in
            var cart = try store.read(Cart.self, named: name)
            guard let value = body(&cart) else { return nil }
            try store.write(cart, named: name)
            return value
        }
    }

    private func locked<Value>(_ body: () throws(FileStoreError) -> Value) throws(BasketError) -> Value {
        // What comes out of the lock is made in it and kept nowhere else.
        let result = change.withLock { _ in
            do throws(FileStoreError) { return Result<Value, FileStoreError>.success(try body()) } catch {
                return .failure(error)
            }
        }
        do throws(FileStoreError) { return try result.get() } catch { throw .store(error.description) }
    }
}

extension BasketEnvironment {
    /// The works, on a file.
    static func live(_ shop: Shop) -> BasketEnvironment {
        BasketEnvironment(
            loadItems: { () throws(BasketError) in
                try await offload { _ throws(BasketError) in try shop.cart().items }
            },
            increaseAmount: { id throws(BasketError) in
                try await offload { _ throws(BasketError) in
                    try shop.update(id) { $0.amount = min($0.amount + 1, CartItem.amounts.upperBound) }
                }
            },
            decreaseAmount: { id throws(BasketError) in
                try await offload { _ throws(BasketError) in
                    try shop.update(id) { $0.amount = max($0.amount - 1, CartItem.amounts.lowerBound) }
                }
            },
            updateCheckbox: { id, isChecked throws(BasketError) in
                try await offload { _ throws(BasketError) in try shop.update(id) { $0.isChecked = isChecked } }
            },
            deleteItem: { id throws(BasketError) in
                try await offload { _ throws(BasketError) in try shop.delete(id) }
            },
            postOrder: { ids throws(BasketError) in
                try await offload { _ throws(BasketError) in try shop.order(ids) }
            })
    }
}
