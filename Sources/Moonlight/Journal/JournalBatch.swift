/// Records that are written together, as a ``JournalWriter`` passes them on.
public struct JournalBatch<State: Equatable, Event, Effect> {
    /// The records, in order.
    public let records: [JournalRecord<State, Event, Effect>]
    /// The number of records that arrived after these and were dropped because there was no room for them.
    public let dropped: Int

    /// Creates a batch.
    ///
    /// - Parameters:
    ///   - records: The records, in order.
    ///   - dropped: The number of records that arrived after these and were dropped.
    public init(records: [JournalRecord<State, Event, Effect>], dropped: Int) {
        self.records = records
        self.dropped = dropped
    }

    /// The records as lines of a log; see ``JournalRecord/line``. If records were dropped, the last line says how many.
    public var lines: String {
        let lost =
            dropped == 0 ? [] : ["\(WallTime.now)  \(dropped) record\(dropped == 1 ? "" : "s") dropped: the writer is behind"]
        return (records.map(\.line) + lost).joined(separator: "\n")
    }

    /// Returns the records as lines of JSON; see ``JournalRecord/json(since:)``. If records were dropped, the last line gives
    /// their number, as `{"dropped":3}`.
    ///
    /// - Parameter start: The instant from which `ms` is counted.
    /// - Returns: One line for each record, joined by line breaks.
    public func json(since start: ContinuousClock.Instant) -> String {
        (records.map { $0.json(since: start) } + (dropped == 0 ? [] : ["{\"dropped\":\(dropped)}"])).joined(separator: "\n")
    }
}

extension JournalBatch: Sendable where State: Sendable, Event: Sendable, Effect: Sendable {}
