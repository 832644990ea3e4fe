/// One thing to measure, for each contender that can do it.
package struct Row: Hashable, Sendable {
    /// The unit of a result.
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
    /// Indicates whether the number of allocations is the same each time; with threads and tasks it depends on their order.
    package let isExact: Bool
    /// Indicates whether only allocations of the measured thread count, as other threads do other work.
    package let countsThread: Bool
    /// Indicates whether the chart shows the row.
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
