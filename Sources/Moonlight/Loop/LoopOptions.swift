/// Options of a loop. Each of them is off unless it is set, and costs nothing while it is off.
public struct LoopOptions<State: Equatable, Event, Effect>: Sendable {
    /// The loop's name. A loop with a name is in the ``StoreRegistry``, has counters, and puts the name into its records.
    public var name: String?

    /// Receives a record of each step of the loop, in order, on the thread that runs the loop at the time. It must not block: a
    /// ``JournalWriter`` formats and writes records on another thread.
    public var journal: (@Sendable (JournalRecord<State, Event, Effect>) -> Void)?

    /// Coalesces a new event with the last waiting one: returns the event to handle instead of both, or nil to keep them apart.
    /// It must be pure, and runs on the sender's thread.
    ///
    /// Only waiting events are coalesced, so an idle loop handles every event. If the waiting event is handled while this runs, the
    /// result is dropped, and the new event is kept apart.
    public var coalesce: (@Sendable (Event, Event) -> Event?)?

    /// The bound on waiting events, and the treatment of those beyond it.
    public var inbox: InboxBound

    /// The number of streams of effects that may be live at once; nil for no limit. A stream does not count while its `run` body
    /// awaits an event of the same loop.
    ///
    /// An event is handled while fewer are live, and then all of its streams start, so that one event of combined reducers may exceed
    /// the limit.
    ///
    /// While the limit is reached, events wait in the inbox, whose bound determines the treatment of further events. With
    /// ``InboxBound/suspend(_:)``, senders are slowed down to the pace of the work (backpressure). An event that has waited is
    /// handled soon after an effect has ended, not on the thread that ends the effect.
    public var effectLimit: Int? { didSet { Self.check(effectLimit, "effectLimit") } }

    /// The number of events that may follow each other, without anything from outside, before the loop is reported as running
    /// away: to the journal and to `onRunaway`, once until something comes from outside. Items that arrive while the loop is idle
    /// are from outside, including an effect that its stream sends later.
    ///
    /// If nil, a loop that holds its thread for a million steps is reported on the standard error, once each time.
    public var stepLimit: Int? { didSet { Self.check(stepLimit, "stepLimit") } }

    /// True if a loop that has reached `stepLimit` is cancelled once it has been reported; otherwise it continues. Without a
    /// `stepLimit`, this and `onRunaway` have no effect.
    public var cancelsRunaway: Bool

    /// Called with a report when the loop reaches `stepLimit`, on the thread that runs the loop at the time.
    public var onRunaway: (@Sendable (RunawayReport) -> Void)?

    /// The clock by which records and counters measure time, in nanoseconds. Nil for the system's; set by tests.
    @usableFromInline package var clock: (@Sendable () -> Int)?

    /// Receives the initial state when the loop is created, and a closure for recordings. The closure returns the number of the
    /// record that causes the current work of the calling thread, or nil if that thread is not handling an item of the loop.
    @usableFromInline package var onBegin: (@Sendable (State, _ causeHere: @escaping @Sendable () -> Int?) -> Void)?

    /// An object that takes part in each step of the loop, and may hold its output back. For one loop only.
    @usableFromInline package var hook: (any LoopHook<State, Event, Effect>)?

    /// The task-locals that are carried with an event to its consequences. Other task-locals have the values of the event's
    /// sender there, or none, and never those of another sender. Work upstream of `share` or `multicast`, which several streams may
    /// share, has none of them.
    public var taskLocals: [CarriedLocal]

    /// Creates options, all of which are off unless given.
    ///
    /// - Parameters:
    ///   - name: See ``name-swift.property``.
    ///   - journal: See ``journal-swift.property``.
    ///   - coalesce: See ``coalesce-swift.property``.
    ///   - inbox: See ``inbox-swift.property``.
    ///   - effectLimit: See ``effectLimit-swift.property``; at least 1.
    ///   - stepLimit: See ``stepLimit-swift.property``; at least 1.
    ///   - cancelsRunaway: See ``cancelsRunaway-swift.property``.
    ///   - onRunaway: See ``onRunaway-swift.property``.
    ///   - taskLocals: See ``taskLocals-swift.property``.
    @inlinable
    public init(
        name: String? = nil,
        journal: (@Sendable (JournalRecord<State, Event, Effect>) -> Void)? = nil,
        coalesce: (@Sendable (Event, Event) -> Event?)? = nil,
        inbox: InboxBound = .unbounded,
        effectLimit: Int? = nil,
        stepLimit: Int? = nil,
        cancelsRunaway: Bool = false,
        onRunaway: (@Sendable (RunawayReport) -> Void)? = nil,
        taskLocals: [CarriedLocal] = []
    ) {
        Self.check(effectLimit, "effectLimit")
        Self.check(stepLimit, "stepLimit")
        self.name = name
        self.journal = journal
        self.coalesce = coalesce
        self.inbox = inbox
        self.effectLimit = effectLimit
        self.stepLimit = stepLimit
        self.cancelsRunaway = cancelsRunaway
        self.onRunaway = onRunaway
        self.taskLocals = taskLocals
    }

    /// Traps for a limit with which no event would ever be handled.
    @usableFromInline
    static func check(_ limit: Int?, _ name: StaticString) {
        precondition(limit ?? 1 > 0, "\(name) must be at least 1, but is \(limit ?? 1); use nil for no limit")
    }

    /// True if all options that need ``LoopInstruments`` are off.
    @inlinable var isPlain: Bool {
        name == nil && journal == nil && coalesce == nil && inbox == .unbounded && effectLimit == nil && stepLimit == nil
            && taskLocals.isEmpty && hook == nil
    }
}

/// The number of events that may wait for a loop, at least one, and the treatment of those beyond it.
///
/// Effects do not count. Events that feedback sends at once in answer to a state count, but are never refused or dropped, even if
/// there is no room: the loop itself has caused them.
public enum InboxBound: Sendable, Hashable {
    /// Any number of events may wait.
    case unbounded
    /// At most this many may wait; `await send` waits for room, first come, first served. A sender that cannot wait is
    /// refused: `send`, which returns the error, and feedback that sends of its own accord, which the journal records.
    case suspend(Int)
    /// At most this many may wait; beyond that, the oldest is dropped for the new one. A sender that awaits the oldest
    /// receives ``/LoopValues/SendError/overflow``. The events keep their order, but each later one moves up to the place of the
    /// one before, and so may be handled before effects that were sent earlier.
    case dropOldest(Int)
    /// At most this many may wait; a further event is refused with ``/LoopValues/SendError/overflow``.
    case reject(Int)

    /// The number of events that may wait; nil if there is no bound.
    @usableFromInline var capacity: Int? {
        switch self {
        case .unbounded: nil
        case .suspend(let count), .dropOldest(let count), .reject(let count): max(count, 1)
        }
    }
}
