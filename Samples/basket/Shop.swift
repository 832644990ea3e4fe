import MoonFoundation
import Synchronization

/// The content of the file.
struct Cart: Codable {
    var items = [
        CartItem(id: 1, name: "Map of the moon", price: 1250, isChecked: true),
        CartItem(id: 2, name: "Telescope", price: 18_900),
        CartItem(id: 3, name: "Warm socks", price: 790, amount: 3, isChecked: true),
        CartItem(id: 4, name: "月の本", price: 2400),
    ]
    var ordered: [CartItem] = []
}

extension Works {
    /// Returns dependencies that use a file, which is written atomically.
    static func live(_ store: FileStore) -> Works {
        // The lock is held from reading to writing, so that no change is lost.
        let lock = Mutex(())
        @Sendable func change<Value: Sendable>(_ body: (inout Cart) throws -> Value) throws -> Value {
            try lock.withLock { _ in
                var cart: Cart = try store.read(named: "basket", default: Cart())
                let value = try body(&cart)
                try store.write(cart, named: "basket")
                return value
            }
        }
        @Sendable func edit(_ id: CartItem.ID, _ body: (inout CartItem) -> Void) throws -> CartItem {
            try change { cart in
                guard let index = cart.items.firstIndex(where: { $0.id == id }) else {
                    throw BasketError(description: "the item \(id) is gone")
                }
                body(&cart.items[index])
                return cart.items[index]
            }
        }
        return Works(
            load: { try store.read(named: "basket", default: Cart()).items },
            add: { id in try edit(id) { $0.amount = min(99, $0.amount + 1) } },
            subtract: { id in try edit(id) { $0.amount = max(1, $0.amount - 1) } },
            check: { id in try edit(id) { $0.isChecked.toggle() } },
            delete: { id in try change { cart in cart.items.removeAll { $0.id == id } } },
            order: {
                try change { cart in
                    let items = cart.items.filter(\.isChecked)
                    if items.isEmpty { throw BasketError(description: "nothing is checked") }
                    cart.ordered += items
                    cart.items.removeAll(where: \.isChecked)
                    return items
                }
            })
    }
}
