import Streams

/// The operators, one row each: a chain, and a model of its output.
enum Table {
    static let rows =
        sources + passing + selecting + cutting + dropping + folding + throwing + joining + flattening + zipping + combining
        + switching + recovering + buffering + sharing + scheduling + timing

    /// The rows that can be upstream or downstream of another.
    static let linking = rows.filter { $0.link != nil && $0.bug == nil }
}

// Functions of lists that the models share.

func running(_ values: [Int], from start: Int) -> [Int] {
    values.indices.map { start + values[...$0].reduce(0, +) }
}

func distinct(_ values: [Int], _ isSame: (Int, Int) -> Bool) -> [Int] {
    values.indices.filter { $0 == 0 || !isSame(values[$0 - 1], values[$0]) }.map { values[$0] }
}

func cut(_ values: [Int], _ end: End?, _ range: Range<Int>) -> ([Int], End?) {
    (
        Array(values.prefix(range.upperBound).dropFirst(range.lowerBound)),
        values.count >= range.upperBound ? .finished : end
    )
}

/// The values of all upstreams in order, up to the first failure or the last regular completion.
func merged(_ log: History, _ upstreams: Int = 2) -> Due<Int> {
    var (values, open): ([Int], Int) = ([], upstreams)
    for input in log.inputs {
        switch input.event {
        case .value(let value): values.append(value)
        case .end(.finished): open -= 1
        case .end(let failure): return .kept(values, failure)
        }
    }
    return .kept(values, open == 0 ? .finished : nil)
}

/// The events of a chain whose closure throws at 3.
func until3(_ values: [Int], _ end: End?) -> ([Int], End?) {
    guard let place = values.firstIndex(of: 3) else { return (values, end) }
    return (Array(values[..<place]), .failed(.second))
}

/// A result that is sent at the completion.
func result<Value>(_ value: Value?, _ end: End?) -> ([Value], End?) {
    (end == .finished ? value.map { [$0] } ?? [] : [], end)
}

extension Witness {
    /// Returns the value, and throws for 3.
    func not3<Value: Equatable & ExpressibleByIntegerLiteral>(_ value: Value) throws -> Value {
        if value == 3 { throw Oops.second }
        return value
    }
}
