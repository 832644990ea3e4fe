import Streams

/// The optional parts of a loop: its hook, journal, inbox and limits. Large parts are separate objects, because most loops use few of
/// them.
@usableFromInline
final class LoopInstruments<State: Equatable, Event, Effect>: @unchecked Sendable {
    // Sound: the inbox is thread-safe; only the owner of the loop's mailbox uses the variables.
    @usableFromInline let hook: (any LoopHook<State, Event, Effect>)?
    @usableFromInline let inbox: Inbox<Event>?
    @usableFromInline let journal: LoopJournal<State, Event, Effect>?
    /// Counts the events that follow each other; nil if they are not limited.
    @exclusivity(unchecked) @usableFromInline var steps: StepCounter?
    @usableFromInline let cancelsRunaway: Bool
    @usableFromInline let onRunaway: (@Sendable (RunawayReport) -> Void)?
    /// The number of marks of the inbox that are held back until fewer effects are live.
    @exclusivity(unchecked) @usableFromInline var heldMarks = 0
    @usableFromInline let effectLimit: Int?

    @inlinable
    init(_ options: LoopOptions<State, Event, Effect>, _ counters: LoopCounters?) {
        hook = options.hook
        journal = options.journal == nil && counters == nil ? nil : LoopJournal(options, counters)
        steps = options.stepLimit.map { StepCounter(limit: $0) }
        cancelsRunaway = options.cancelsRunaway
        onRunaway = options.onRunaway
        effectLimit = options.effectLimit
        let hasInbox = options.inbox != .unbounded || options.coalesce != nil || effectLimit != nil
        inbox = hasInbox ? Inbox(options.inbox, options.coalesce) : nil
    }

    /// Creates the instruments for the given options; returns nil if all options are off.
    @inlinable
    static func make(_ options: LoopOptions<State, Event, Effect>, _ counters: LoopCounters?) -> LoopInstruments? {
        options.isPlain ? nil : LoopInstruments(options, counters)
    }

    /// Restarts the step count: the loop was idle, so the current item comes from outside.
    @inlinable
    func beginRun() { steps?.reset() }

    /// Releases the journal and closes the inbox.
    @inlinable
    func end() {
        journal?.end()
        inbox?.close()
    }
}
