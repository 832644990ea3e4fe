import CAllocations

/// The cost of an item, among some number of items.
struct Cost {
    let nanoseconds: Double
    /// The memory in use after the items, divided by their number.
    let bytes: Double
}

extension [Cost] {
    /// The costs relative to the first.
    func growth(_ value: (Cost) -> Double) -> [Double] { map { value($0) / Swift.max(first.map(value) ?? 1, 1) } }
}

/// The cost of an item of a body that handles `count` items, and returns what keeps them in memory.
func costOfItems(_ count: Int, _ body: () throws -> Any) rethrows -> Cost {
    let beginning = Beginning()
    let kept = try body()
    return withExtendedLifetime(kept) { beginning.cost(of: count) }
}

/// The cost of an item of an asynchronous body.
func costOfItemsLater(_ count: Int, _ body: () async throws -> Any) async rethrows -> Cost {
    let beginning = Beginning()
    let kept = try await body()
    return withExtendedLifetime(kept) { beginning.cost(of: count) }
}

/// The time and the memory in use at the beginning of a measurement.
private struct Beginning {
    private let bytes = allocated_bytes()
    private let instant = ContinuousClock.now

    func cost(of count: Int) -> Cost {
        let time = ContinuousClock.now - instant
        return Cost(
            nanoseconds: time / .nanoseconds(1) / Double(count),
            bytes: Double(Swift.max(allocated_bytes() - bytes, 0)) / Double(count))
    }
}
