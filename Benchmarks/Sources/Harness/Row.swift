/// One thing to measure, for each contender that can do it.
package struct Row: Hashable, Sendable {
    /// What a result counts.
    package enum Unit: Hashable, Sendable {
        /// Nanoseconds and allocations for each of these.
        case time(per: String)
        /// Bytes that each of these takes while it lives.
        case bytes(per: String)
        /// Something that is measured once, in this unit.
        case whole(String)
    }

    package let group: String
    package let name: String
    package let unit: Unit
    /// The least number of elements in a run, and what any number must be a multiple of.
    package let batch: Int
    /// Whether the number of allocations is the same each time; with threads and tasks it depends on who comes first.
    package let isExact: Bool
    /// Whether only what the measured thread allocates counts, as others work for it.
    package let countsThread: Bool
    /// Whether the chart shows it.
    package let isHeadline: Bool

    package init(
        _ group: String, _ name: String, _ unit: Unit, batch: Int = 1000, isExact: Bool = true, countsThread: Bool = false,
        isHeadline: Bool = false
    ) {
        self.group = group
        self.name = name
        self.unit = unit
        self.batch = batch
        self.isExact = isExact
        self.countsThread = countsThread
        self.isHeadline = isHeadline
    }
}
