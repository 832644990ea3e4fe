/// A task to measure, for each contender that supports it.
package struct Row: Hashable, Sendable {
    /// The unit of a result.
    package enum Unit: Hashable, Sendable {
        /// Nanoseconds and allocations per element.
        case time(per: String)
        /// Bytes per live element.
        case bytes(per: String)
        /// A single measurement, in this unit.
        case whole(String)
    }

    package let group: String
    package let name: String
    package let unit: Unit
    /// The minimum number of elements in a run; any number must be a multiple of it.
    package let batch: Int
    /// True if the number of allocations is deterministic; with threads and tasks, it depends on their order.
    package let isExact: Bool
    /// True if only allocations of the measured thread count, because other threads do other work.
    package let countsThread: Bool
    /// True if the chart shows the row.
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
