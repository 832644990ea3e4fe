/// One step of a loop, as recorded in its journal.
///
/// Records are numbered from 1, in the order in which things happened, and each names the record that caused it. Follow ``cause``
/// from a change of the state to its event, and from an event sent by feedback to the state change or the rule that led to it.
///
/// ```swift
/// let options = LoopOptions<Counter, Event, Effect>(journal: { record in print(record) })
/// ```
///
/// A record stores the values themselves and formats them only on demand: ``description`` is one line, ``diff`` has a line for
/// each field that changed, and ``json(since:)`` is for machines.
public struct JournalRecord<State, Event, Effect> {
    /// The position in the journal, from 1.
    public let number: Int
    /// The number of the record that caused this one; nil if the cause came from outside the loop.
    public let cause: Int?
    /// The time at which the loop began to handle the event, or the later effect, that led to this record.
    ///
    /// Everything that follows synchronously has the same time: reading a clock may cost more than the rest of a step.
    public var time: ContinuousClock.Instant { JournalClock.origin + age }
    /// The wall-clock time that corresponds to ``time``, according to the wall clock as it is set when you read this property.
    public var wallTime: WallTime { JournalClock.wallTime(at: age) }
    /// The loop's `LoopOptions.name`, if it has one.
    public let loop: String?
    /// The time that the event waited before the loop handled it; zero if the loop was idle, nil for records of other steps.
    public var waited: Duration? { times.waited.duration }
    /// The duration of `transform`; set on records of effects and rejections, nil elsewhere.
    public var transformTime: Duration? { times.transform.duration }
    /// The duration of `apply`; set on records of effects, applied or rejected, nil elsewhere.
    public var applyTime: Duration? { times.apply.duration }
    /// The durations behind ``waited``, ``transformTime`` and ``applyTime``.
    @usableFromInline let times: RecordTimes
    /// The task-locals that the loop carries, by name and in the order of the options, with their values for the sender of the
    /// event that led to this record.
    ///
    /// Empty if the loop carries none, or if no sent event led to this; see `LoopOptions.taskLocals`.
    public var taskLocals: [(name: String, value: any Sendable)] { context?.values ?? [] }
    /// The values behind ``taskLocals``.
    @usableFromInline let context: CarriedContext?
    /// The step that the record describes.
    public let step: Step
    /// The time of the record, as an age relative to the journal clock's origin.
    ///
    /// Stored in place of an instant: an instant has no fixed layout, so each copy of a record that contains one would have to
    /// look the layout up at run time.
    @usableFromInline let age: Duration

    /// A step of a loop.
    public enum Step {
        /// An event was taken from the mailbox.
        case event(Event)
        /// `transform` threw: the event was rejected and the state is unchanged. A ``Rejection`` contains the place in the
        /// source.
        case rejected(Event, any Error)
        /// The `apply` of a `Reducer` threw: the effect was rejected and the state is unchanged.
        case effectRejected(Effect, any Error)
        /// An effect was applied. The two states are equal if it changed nothing.
        case effect(Effect, before: State, after: State)
        /// The state of a job changed: it was started or cancelled, for example.
        case job(JobRecord)
        /// A rule fired or was prevented from firing.
        case rule(RuleRecord)
        /// Events were coalesced with waiting ones. The payload is the last such event; `count` is the number of events coalesced
        /// since the previous such record. A flooded loop keeps no list of them.
        case coalesced(Event, count: Int)
        /// Events found the mailbox full and were rejected or, with `.dropOldest`, dropped in favor of newer ones. The payload is
        /// the last event lost; `count` is the number of events lost since the previous such record.
        case overflowed(Event, count: Int)
        /// `steps` events followed each other without input from outside. `chain` has the names of the events that repeat, in
        /// order. See `LoopOptions.stepLimit`.
        case runaway(steps: Int, chain: [String])
        /// The loop ended: `isCancelled` is true if it was cancelled, false if it finished by itself.
        case ended(isCancelled: Bool)
    }

    @inlinable
    package init(
        number: Int, cause: Int?, age: Duration, loop: String? = nil, times: RecordTimes = (.none, .none, .none),
        context: CarriedContext? = nil, step: Step
    ) {
        self.number = number
        self.cause = cause
        self.age = age
        self.context = context
        self.step = step
        self.loop = loop
        self.times = times
    }
}

/// The durations of the parts of a recorded step; none where they are unknown.
@usableFromInline package typealias RecordTimes = (waited: Nanoseconds, transform: Nanoseconds, apply: Nanoseconds)

extension JournalRecord: Sendable where State: Sendable, Event: Sendable, Effect: Sendable {}
extension JournalRecord.Step: Sendable where State: Sendable, Event: Sendable, Effect: Sendable {}
