extension Note {
    /// Returns the note as a step of the journal.
    @usableFromInline
    func step<State, Event, Effect>() -> JournalRecord<State, Event, Effect>.Step {
        switch self {
        case .job(let record): .job(record)
        case .rule(let record): .rule(record)
        }
    }
}
