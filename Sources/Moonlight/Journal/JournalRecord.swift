/// One step of a loop, as its journal tells it.
///
/// Records are numbered from 1 in the order in which things happened, and name the record that is their cause: follow
/// ``cause`` from a change of the state to its event, and from an event that feedback sent to the change it answered, or to
/// the rule that fired.
///
/// ```swift
/// let options = LoopOptions<Counter, Event, Effect>(journal: { record in print(record) })
/// ```
/// A record keeps what it tells of as it is, and makes text of it only when asked: ``description`` is one line, ``diff`` tells
/// of each field that changed on a line of its own, ``json(since:)`` is for machines.
public struct JournalRecord<State, Event, Effect> {
    /// Its place in the journal, from 1.
    public let number: Int
    /// The number of the record that caused it; nil if it came from outside.
    public let cause: Int?
    /// When the loop took up what led to it: an event, or an effect that came later. All that follows at once has the same
    /// time, as to read a clock may cost more than all the rest of a step.
    public var time: ContinuousClock.Instant { JournalClock.origin + age }
    /// The same by the wall clock, as that is set when you ask.
    public var wallTime: WallTime { JournalClock.wallTime(at: age) }
    /// The loop's ``LoopOptions/name-swift.property``, if it has one.
    public let loop: String?
    /// How long the event had waited when the loop took it up, no time if the loop was idle; nil for what is no event.
    public var waited: Duration? { times.waited.duration }
    /// How long `transform` took, on the records of effects and of refusals; nil elsewhere.
    public var transformTime: Duration? { times.transform.duration }
    /// How long `apply` took, on the records of effects; nil elsewhere.
    public var applyTime: Duration? { times.apply.duration }
    @usableFromInline let times: RecordTimes
    /// The task-locals that the loop carries, as they were for who sent the event that led to it; nil if the loop carries none, or
    /// nothing was sent: see ``LoopOptions/carrying-swift.property``.
    public let context: CarriedContext?
    /// What happened.
    public let step: Step
    /// How long that is after the clock's origin. An instant has no fixed layout, and nor would a record with one in it: each
    /// copy would have to ask its type how.
    @usableFromInline let age: Duration

    /// What can happen in a loop.
    public enum Step {
        /// An event was taken from the mailbox.
        case event(Event)
        /// `transform` threw: the event was refused and the state is as it was. A ``Rejection`` says where.
        case rejected(Event, any Error)
        /// The `apply` of a ``Reducer`` threw: the effect was refused and the state is as it was.
        case effectRejected(Effect, any Error)
        /// An effect was applied. The two states are equal if it changed nothing.
        case effect(Effect, before: State, after: State)
        /// Something happened to a job.
        case job(JobRecord)
        /// Something happened to a rule.
        case rule(RuleRecord)
        /// Events were folded into ones that waited before them: this is the last, and so many they were since the loop last
        /// wrote of it. A loop that is flooded keeps no list of them.
        case coalesced(Event, count: Int)
        /// Events found the mailbox full, and were refused or, with `.dropOldest`, dropped for newer ones: this is the last, and
        /// so many they were since the loop last wrote of it.
        case overflowed(Event, count: Int)
        /// So many events followed each other without anything from outside. The names are those of the events that repeat,
        /// in order. See ``LoopOptions/stepLimit``.
        case runaway(steps: Int, chain: [String])
        /// The loop has ended; true if it was cancelled, false if it came to its natural end.
        case ended(isCancelled: Bool)
    }

    @inlinable
    init(
        number: Int, cause: Int?, age: Duration, loop: String? = nil, times: RecordTimes = RecordTimes(),
        context: CarriedContext? = nil, step: Step
    ) {
        (self.number, self.cause, self.age, self.context, self.step) = (number, cause, age, context, step)
        (self.loop, self.times) = (loop, times)
    }
}

/// How long what a record tells of has taken.
@usableFromInline
struct RecordTimes: Sendable {
    @usableFromInline let waited: Nanoseconds
    @usableFromInline let transform: Nanoseconds
    @usableFromInline let apply: Nanoseconds

    @inlinable
    init(waited: Nanoseconds = .none, transform: Nanoseconds = .none, apply: Nanoseconds = .none) {
        (self.waited, self.transform, self.apply) = (waited, transform, apply)
    }
}

extension JournalRecord: Sendable where State: Sendable, Event: Sendable, Effect: Sendable {}
extension JournalRecord.Step: Sendable where State: Sendable, Event: Sendable, Effect: Sendable {}
