/// What a loop does beyond the plain. All of it is off unless it is set, and what is off costs nothing.
public struct LoopOptions<State: Equatable, Event, Effect>: Sendable {
    /// What the loop is called. One that has a name is in the ``StoreRegistry``, counts what it does, and its records carry the name.
    public var name: String?

    /// Told of everything that the loop does, in order, on whichever thread runs the loop at the time. It must not block:
    /// a ``JournalWriter`` makes text of it elsewhere.
    public var journal: (@Sendable (JournalRecord<State, Event, Effect>) -> Void)?

    /// Folds an event into the last one that waits: given both, returns the one to handle instead, or nil to keep them
    /// apart. Pure, and called by whoever sends. Only events that wait are folded, so that an idle loop handles each; of two
    /// that arrive at the same moment the later may be kept apart.
    public var coalesce: (@Sendable (Event, Event) -> Event?)?

    /// How many events may wait, and what happens to those that are too many.
    public var inbox: InboxBound

    /// How many streams of effects may be live at once; nil for as many as there are. One does not count while it awaits an event of its own
    /// loop in a `run`. While so many are, events wait in the inbox, whose bound
    /// then says what becomes of those that are too many: with ``InboxBound/suspend(_:)`` whoever sends is slowed down to the pace of the work.
    public var effectLimit: Int?

    /// After how many events in a row, without anything from outside, the loop is reported as running away: to the journal
    /// and to `onRunaway`, once until something comes from outside. What arrives while the loop is idle, an effect that comes later
    /// included, is from outside. If nil, a loop that holds its thread for a million steps is told of on the standard error, once.
    public var stepLimit: Int?

    /// Whether a loop that has come to `stepLimit` is cancelled, when it has been reported; else it goes on.
    public var endsRunaway: Bool

    /// Told of a loop that keeps itself busy; see `stepLimit`.
    public var onRunaway: (@Sendable (Runaway) -> Void)?

    /// What records and counters tell time by, in nanoseconds: for tests.
    @usableFromInline package var clock: (@Sendable () -> Int)?

    /// The task-locals that go with an event to what it causes. Without them, what an event causes sees the task-locals of its
    /// sender or none, and never another sender's.
    public var carrying: [CarriedLocal]

    /// Options, all off unless given.
    public init(
        name: String? = nil,
        journal: (@Sendable (JournalRecord<State, Event, Effect>) -> Void)? = nil,
        coalesce: (@Sendable (Event, Event) -> Event?)? = nil,
        inbox: InboxBound = .unbounded,
        effectLimit: Int? = nil,
        stepLimit: Int? = nil,
        endsRunaway: Bool = false,
        onRunaway: (@Sendable (Runaway) -> Void)? = nil,
        carrying: [CarriedLocal] = []
    ) {
        precondition(stepLimit ?? 1 > 0, "stepLimit must be at least 1; use nil for no limit")
        self.name = name
        self.journal = journal
        self.coalesce = coalesce
        precondition(effectLimit ?? 1 > 0, "effectLimit must be at least 1; use nil for no limit")
        self.inbox = inbox
        self.effectLimit = effectLimit
        self.stepLimit = stepLimit
        self.endsRunaway = endsRunaway
        self.onRunaway = onRunaway
        self.carrying = carrying
    }

    /// Whether everything is off.
    @usableFromInline var isPlain: Bool {
        name == nil && journal == nil && coalesce == nil && inbox == .unbounded && effectLimit == nil && stepLimit == nil
            && carrying.isEmpty
    }
}

/// How many events may wait in a loop's mailbox, at least one.
///
/// Neither effects are counted nor what feedback answers at once when it sees a state: the loop has asked for those itself,
/// and they are never refused.
public enum InboxBound: Sendable, Hashable {
    /// As many as come.
    case unbounded
    /// So many; `await send` waits for room, first come, first served. Who cannot wait is refused: `send`, which says so, and
    /// feedback that sends of its own accord, of which the journal tells.
    case suspend(Int)
    /// So many; of more, the oldest is dropped for the new one. Who awaits the oldest is told ``SendError/overflow``.
    case dropOldest(Int)
    /// So many; a new one is refused with ``SendError/overflow``.
    case reject(Int)

    /// How many may wait; nil if there is no bound.
    @usableFromInline var capacity: Int? {
        switch self {
        case .unbounded: nil
        case .suspend(let count), .dropOldest(let count), .reject(let count): max(count, 1)
        }
    }

    @usableFromInline var dropsOldest: Bool {
        if case .dropOldest = self { true } else { false }
    }

    @usableFromInline var suspends: Bool {
        if case .suspend = self { true } else { false }
    }
}
