public import Logging
public import Moonlight

extension JournalWriter {
    /// Creates a writer that logs records, off the loop's thread.
    ///
    /// ```swift
    /// let journal = JournalWriter<Shop, ShopEvent, ShopEffect>(logger: Logger(label: "shop"))
    /// let store = Store(…, options: LoopOptions(name: "shop", journal: journal.take))
    /// ```
    /// ``JournalRecord/log(to:levels:showsValues:)`` describes the format. Call `flush()` at the end of the program.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - levels: The level of each kind of record.
    ///   - showsValues: True if values are shown, and not only the names of cases.
    ///   - limit: The number of records that may be queued. Further ones are dropped, and their number is logged.
    public convenience init(
        logger: Logger, levels: JournalLevels = JournalLevels(), showsValues: Bool = true, limit: Int = 1_000
    ) {
        self.init(limit: limit) { $0.log(to: logger, levels: levels, showsValues: showsValues) }
    }
}

extension JournalBatch {
    /// Logs the records of the batch, and the number of records that were dropped after them.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - levels: The level of each kind of record.
    ///   - showsValues: True if values are shown, and not only the names of cases.
    public func log(to logger: Logger, levels: JournalLevels = JournalLevels(), showsValues: Bool = true) {
        for record in records { record.log(to: logger, levels: levels, showsValues: showsValues) }
        if dropped > 0 {
            logger.log(level: levels.dropped, "records dropped", metadata: ["count": "\(dropped)"], source: "Moonlight")
        }
    }
}
