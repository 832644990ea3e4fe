public import Logging
public import Moonlight

extension JournalWriter {
    /// Creates a writer that logs records, off the loop's thread.
    ///
    /// ```swift
    /// let journal = JournalWriter<Shop, ShopEvent, ShopEffect>(logger: Logger(label: "shop"))
    /// let store = Store(…, options: LoopOptions(name: "shop", journal: journal.take))
    /// ```
    /// See ``JournalRecord/log(to:levels:showsValues:)`` for what is logged. Call `flush()` at the end of the program.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - levels: The level of each kind of record.
    ///   - showsValues: Whether values are shown, and not only the names of cases.
    ///   - limit: The number of records that may wait to be logged. How many are dropped beyond that is logged, too.
    public convenience init(
        logger: Logger, levels: JournalLevels = JournalLevels(), showsValues: Bool = true, limit: Int = 1_000
    ) {
        self.init(limit: limit) { $0.log(to: logger, levels: levels, showsValues: showsValues) }
    }
}

extension JournalBatch {
    /// Logs the records of the batch, and how many were dropped after them.
    ///
    /// - Parameters:
    ///   - logger: The logger.
    ///   - levels: The level of each kind of record.
    ///   - showsValues: Whether values are shown, and not only the names of cases.
    public func log(to logger: Logger, levels: JournalLevels = JournalLevels(), showsValues: Bool = true) {
        for record in records { record.log(to: logger, levels: levels, showsValues: showsValues) }
        if dropped > 0 {
            logger.log(level: levels.dropped, "records dropped", metadata: ["count": "\(dropped)"], source: "Moonlight")
        }
    }
}
