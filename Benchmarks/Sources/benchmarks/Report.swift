import Harness

/// The results of a run.
struct Report: Codable {
    let machine: Machine
    var rows: [Result] = []

    /// A row with the measurements of its contenders.
    struct Result: Codable {
        let group: String
        let name: String
        let unit: String
        let isExact: Bool
        let isHeadline: Bool
        let measurements: [Measurement]
        /// The ratio of our best time to that of the loop by hand.
        let timesLimit: Double?
        /// The ratio of the best peer's time to ours.
        let timesBetterThanPeers: Double?

        init(_ row: Row, _ measurements: [Measurement]) {
            (group, name) = (row.group, row.name)
            switch row.unit {
            case .time(let thing): unit = "ns per \(thing)"
            case .bytes(let thing): unit = "bytes per \(thing)"
            case .whole(let name): unit = name
            }
            (isExact, isHeadline) = (row.isExact, row.isHeadline)
            self.measurements = measurements
            let ours = measurements.first { $0.contender == .moonlight }?.minimum
            let limit = measurements.first { $0.contender == .byHand }?.minimum
            let peer = measurements.filter(\.contender.isPeer).map(\.minimum).min()
            timesLimit = ours.flatMap { ours in limit.map { ours / $0 } }
            timesBetterThanPeers = ours.flatMap { ours in peer.map { $0 / ours } }
        }

        subscript(contender: Contender) -> Measurement? { measurements.first { $0.contender == contender } }
    }
}

extension Double {
    /// The number with its significant digits.
    var short: String {
        let digits = self < 10 ? 1 : 0
        var scaled = self
        for _ in 0..<digits { scaled *= 10 }
        let whole = Int(scaled.rounded())
        if digits == 0 { return grouped(whole) }
        return "\(whole / 10).\(whole % 10)"
    }

    /// The number with up to two decimals, without trailing zeros.
    var hundredths: String {
        let whole = Int((self * 100).rounded())
        if whole % 100 == 0 { return grouped(whole / 100) }
        let fraction = whole % 100
        return
            "\(grouped(whole / 100)).\(fraction % 10 == 0 ? "\(fraction / 10)" : fraction < 10 ? "0\(fraction)" : "\(fraction)")"
    }
}
