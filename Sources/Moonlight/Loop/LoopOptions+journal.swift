import Streams

extension LoopOptions {
    /// Options whose journal is sent to a subject, for whoever subscribes to it.
    ///
    /// ```swift
    /// let journal = PassthroughSubject<JournalRecord<Counter, Event, Effect>, Never>()
    /// journal.sink { print($0) }.store(in: &subscriptions)
    /// let store = Store(…, options: LoopOptions(journal: journal), …)
    /// ```
    /// The last record is ``JournalRecord/Step/ended(isCancelled:)``; the subject is not completed, as other loops may send to it.
    ///
    /// - Parameters:
    ///   - journal: Where records go; it must not fail.
    ///   - coalesce: See ``coalesce-swift.property``.
    ///   - inbox: See ``inbox-swift.property``.
    ///   - stepLimit: See ``stepLimit-swift.property``.
    ///   - onRunaway: See ``onRunaway-swift.property``.
    ///   - carrying: See ``carrying-swift.property``.
    public init<Journal: Subject & Sendable>(
        journal: Journal,
        coalesce: (@Sendable (Event, Event) -> Event?)? = nil,
        inbox: InboxBound = .unbounded,
        stepLimit: Int? = nil,
        onRunaway: (@Sendable (Runaway) -> Void)? = nil,
        carrying: [CarriedLocal] = []
    ) where Journal.Output == JournalRecord<State, Event, Effect>, Journal.Failure == Never {
        self.init(
            journal: sendable { journal.send($0) }, coalesce: coalesce, inbox: inbox, stepLimit: stepLimit,
            onRunaway: onRunaway, carrying: carrying)
    }
}
