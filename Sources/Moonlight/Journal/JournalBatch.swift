/// Records to be written together.
public struct JournalBatch<State: Equatable, Event, Effect> {
    /// The records, in order.
    public let records: [JournalRecord<State, Event, Effect>]
    /// How many came after these and were dropped, as there was no room for them.
    public let dropped: Int

    /// A batch.
    ///
    /// - Parameters:
    ///   - records: The records, in order.
    ///   - dropped: How many came after these and were dropped.
    public init(records: [JournalRecord<State, Event, Effect>], dropped: Int) {
        (self.records, self.dropped) = (records, dropped)
    }

    /// The records as lines of a log, see ``JournalRecord/line``; the last says how many were dropped, if any were.
    public var lines: String {
        let lost =
            dropped == 0 ? [] : ["\(WallTime.now)  \(dropped) record\(dropped == 1 ? "" : "s") dropped: the writer is behind"]
        return (records.map(\.line) + lost).joined(separator: "\n")
    }

    /// The records as lines of JSON, see ``JournalRecord/json(since:)``; the last is `{"dropped":3}` if so many were dropped.
    ///
    /// - Parameter start: The moment from which time is counted.
    public func json(since start: ContinuousClock.Instant) -> String {
        (records.map { $0.json(since: start) } + (dropped == 0 ? [] : ["{\"dropped\":\(dropped)}"])).joined(separator: "\n")
    }
}

extension JournalBatch: Sendable where State: Sendable, Event: Sendable, Effect: Sendable {}
