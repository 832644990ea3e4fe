#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Something in the basket.
struct CartItem: Codable, Equatable, Sendable, Identifiable {
    let id: Int
    var name: String
    /// A few words about it.
    var about = ""
    /// What one of it costs, in cents.
    var price: Int
    var amount = 1
    /// Whether it is to be bought.
    var isChecked = false

    /// How many of it there may be.
    static let amounts = 1...99

    /// What all of it costs, in cents.
    var sum: Int { price * amount }
}

extension CartItem {
    /// Reads an item. What is left out has its usual value; what cannot be is an error that says where it is.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(Int.self, forKey: .id)
        name = try values.decode(String.self, forKey: .name)
        about = try values.decodeIfPresent(String.self, forKey: .about) ?? ""
        price = try values.decode(Int.self, forKey: .price)
        amount = try values.decodeIfPresent(Int.self, forKey: .amount) ?? 1
        isChecked = try values.decodeIfPresent(Bool.self, forKey: .isChecked) ?? false
        func demand(_ isSo: Bool, _ key: CodingKeys, _ what: String) throws {
            if !isSo { throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: what) }
        }
        try demand(!name.isEmpty, .name, "a name is wanted")
        try demand(
            (0...100_000_000).contains(price), .price, "\(price) is no price: cents are wanted, up to a million's")
        try demand(
            Self.amounts.contains(amount), .amount, "\(amount) is no amount from 1 to \(Self.amounts.upperBound)")
    }
}

/// What was bought.
struct Order: Codable, Equatable, Sendable {
    let number: Int
    let items: [CartItem]

    /// What it costs, in cents.
    var total: Int { items.reduce(0) { $0 + $1.sum } }
}

/// What the file holds.
struct Cart: Codable, Equatable, Sendable {
    var items: [CartItem]
    var orders: [Order] = []

    /// What a new basket has in it.
    static let starter = Cart(items: [
        CartItem(id: 1, name: "Map of the moon", about: "Both sides, on cloth.", price: 1250, isChecked: true),
        CartItem(id: 2, name: "Telescope", about: "Small, but it shows the rings.", price: 18_900),
        CartItem(id: 3, name: "Warm socks", about: "For clear nights.", price: 790, amount: 3, isChecked: true),
        CartItem(id: 4, name: "月の本", about: "A book about the moon, with pictures.", price: 2400),
    ])
}

extension Cart {
    /// Reads a cart, in which each item has an id of its own.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        items = try values.decode([CartItem].self, forKey: .items)
        orders = try values.decodeIfPresent([Order].self, forKey: .orders) ?? []
        var ids: Set<Int> = []
        for item in items where !ids.insert(item.id).inserted {
            throw DecodingError.dataCorruptedError(
                forKey: .items, in: values, debugDescription: "two items have the id \(item.id)")
        }
    }
}
