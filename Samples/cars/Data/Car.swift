#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A car that can be ordered.
struct Car: Codable, Equatable, Sendable, Identifiable {
    let id: Int
    /// Who makes it.
    var make: String
    var model: String
    var year: Int
    /// What it costs.
    var price: Int
    /// What it comes in; never empty.
    var colours: [String]
    var about = ""

    /// What to call it.
    var name: String { "\(make) \(model)" }
}

extension Car {
    /// Reads a car. What cannot be is an error that says where it is.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(Int.self, forKey: .id)
        make = try values.decode(String.self, forKey: .make)
        model = try values.decode(String.self, forKey: .model)
        year = try values.decode(Int.self, forKey: .year)
        price = try values.decode(Int.self, forKey: .price)
        colours = try values.decodeIfPresent([String].self, forKey: .colours) ?? ["white"]
        about = try values.decodeIfPresent(String.self, forKey: .about) ?? ""
        func demand(_ isSo: Bool, _ key: CodingKeys, _ what: String) throws {
            if !isSo { throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: what) }
        }
        try demand(!make.isEmpty, .make, "a name is wanted")
        try demand(!model.isEmpty, .model, "a name is wanted")
        try demand((1885...2100).contains(year), .year, "\(year) is no year of a car")
        try demand((0...1_000_000_000).contains(price), .price, "\(price) is no price")
        try demand(!colours.isEmpty, .colours, "a colour is wanted")
        try demand(Set(colours).count == colours.count, .colours, "a colour is there twice")
    }
}

/// A car that somebody wants.
struct Order: Codable, Equatable, Sendable {
    var number = 0
    let car: Car
    let colour: String
    /// Who wants it.
    let customer: String
}

/// Why data could not be had or kept.
struct DataError: Error, Equatable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
