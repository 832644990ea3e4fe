import AuctionHouse
@_spi(Storage) import MoonlightPostgreSQL

/// The options of the program.
struct Options {
    enum Kind {
        case auctions(AuctionHouse.Place)
        /// The handwritten server, as a baseline for measurements.
        case byHand
    }

    struct Mistake: Error, CustomStringConvertible { let description: String }

    static let usage = """
        usage: auction [--folder PATH | --postgresql CONNECTION | --memory | --by-hand] [--port N] [--inspector-port N]
                       [--token TEXT] [--payments good|slow|failing|hanging] [--most N] [--drain SECONDS]
        """

    var kind = Kind.auctions(.folder("auctions"))
    var port = 8080
    var inspectorPort = 8081
    var token = String((0..<24).map { _ in "abcdefghijkmnpqrstuvwxyz23456789".randomElement() ?? "a" })
    var payments = Bank.Mood.good
    /// The number of bids that may be in flight at once.
    var most = 1024
    var drain = 20.0

    init(_ arguments: some Sequence<String>) throws(Mistake) {
        var rest = Array(arguments)[...]
        func mistake(_ text: String) -> Mistake { Mistake(description: "\(text)\n\(Self.usage)") }
        while let name = rest.popFirst() {
            if name == "--memory" { kind = .auctions(.memory) }
            if name == "--by-hand" { kind = .byHand }
            if ["--memory", "--by-hand"].contains(name) { continue }
            guard let value = rest.popFirst() else { throw mistake("\(name) is unknown, or has no value") }
            switch name {
            case "--folder": kind = .auctions(.folder(value))
            case "--postgresql": kind = .auctions(.postgreSQL(PostgreSQL(value, schema: "auction")))
            case "--port", "--inspector-port":
                guard let number = UInt16(value) else { throw mistake("\(value) is not a port number") }
                if name == "--port" { port = Int(number) } else { inspectorPort = Int(number) }
            case "--token": token = value
            case "--payments": if let mood = Bank.Mood(rawValue: value) { payments = mood } else { throw mistake("\(value)?") }
            case "--most": if let number = Int(value), number > 0 { most = number } else { throw mistake("\(value)?") }
            case "--drain":
                // A longer time could overflow.
                guard let number = Double(value), (0...1e9).contains(number) else { throw mistake("\(value)?") }
                drain = number
            default: throw mistake("\(name) is unknown")
            }
        }
    }
}
