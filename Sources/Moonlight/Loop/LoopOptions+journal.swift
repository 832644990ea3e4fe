import Streams

extension LoopOptions {
    /// Creates options whose journal is sent to a subject.
    ///
    /// ```swift
    /// let journal = PassthroughSubject<JournalRecord<Counter, Event, Effect>, Never>()
    /// journal.sink { print($0) }.store(in: &subscriptions)
    /// let store = Store(…, options: LoopOptions(journal: journal), …)
    /// ```
    /// The last record is ``JournalRecord/Step/ended(isCancelled:)``; the subject is not completed, as other loops may send
    /// to it.
    ///
    /// - Parameters:
    ///   - name: See ``name-swift.property``.
    ///   - journal: Receives the records.
    ///   - coalesce: See ``coalesce-swift.property``.
    ///   - inbox: See ``inbox-swift.property``.
    ///   - effectLimit: See ``effectLimit-swift.property``; at least 1.
    ///   - stepLimit: See ``stepLimit-swift.property``; at least 1.
    ///   - endsRunaway: See ``endsRunaway-swift.property``.
    ///   - onRunaway: See ``onRunaway-swift.property``.
    ///   - carrying: See ``carrying-swift.property``.
    public init<Journal: Subject & Sendable>(
        name: String? = nil,
        journal: Journal,
        coalesce: (@Sendable (Event, Event) -> Event?)? = nil,
        inbox: InboxBound = .unbounded,
        effectLimit: Int? = nil,
        stepLimit: Int? = nil,
        endsRunaway: Bool = false,
        onRunaway: (@Sendable (Runaway) -> Void)? = nil,
        carrying: [CarriedLocal] = []
    ) where Journal.Output == JournalRecord<State, Event, Effect>, Journal.Failure == Never {
        self.init(
            name: name, journal: sendable { journal.send($0) }, coalesce: coalesce, inbox: inbox,
            effectLimit: effectLimit, stepLimit: stepLimit, endsRunaway: endsRunaway, onRunaway: onRunaway, carrying: carrying)
    }
}
