import Moonlight
import Streams

/// The complete description of a node: nodes with equal keys have the same future.
///
/// A live effect is identified by its origin, the outcomes that it has received since, and its cancelled calls. These determine it,
/// since all its input comes from its calls and timers, and from others that cancel its jobs or let them begin, and all its output is in
/// the state. Effects affect each other only through their jobs in flight.
/// Effects that have ended do not count, nor do times in the past: only the time until each timer does.
struct NodeKey: Hashable {
    let state: AnyHashable
    /// The number of events from each limited source so far.
    let events: [Int]
    /// The live effects, in the order in which they began.
    let effects: [EffectKey]
    /// The jobs in flight, in the order in which they wait for each other.
    let jobs: [JobKey]
    /// The timers, in the order in which they run.
    let timers: [TimerKey]
    /// The events that follow from effects and wait, in order.
    let followUps: [AnyHashable]
    /// True if another choice has come before these events.
    let isOvertaken: Bool
    let isEnded: Bool

    /// A fingerprint of the key.
    var print: UInt64 { UInt64(bitPattern: Int64(hashValue)) }

    /// A fingerprint of the key without the numbers of events.
    var place: UInt64 {
        NodeKey(
            state: state, events: [], effects: effects, jobs: jobs, timers: timers, followUps: followUps,
            isOvertaken: isOvertaken, isEnded: isEnded
        ).print
    }
}

/// The origin of a live effect, and the outcomes that it has received since.
struct EffectKey: Hashable {
    /// The event and the state from which `transform` created it, and its number among the streams.
    let event: AnyHashable
    let state: AnyHashable
    let part: Int
    let received: [Received]
    /// The numbers of its calls that were cancelled, perhaps by another effect.
    var cancelled: [Int] = []
}

/// An input of an effect.
enum Received: Hashable {
    /// The outcome of a call, by the call's number.
    case outcome(call: Int, Int)
    /// Timers have run: their numbers among the pending ones of the effect, in the order in which they were scheduled.
    case time([Int])
    /// Others have changed a job.
    case job(JobID, JobChange)
    /// A state, received by feedback.
    case state(AnyHashable)
}

/// A job in flight, and the index of its effect among the live ones.
struct JobKey: Hashable {
    let id: JobID
    let isWaiting: Bool
    let effect: Int?
}

/// A pending timer: the time until it fires, its interval, the index of its effect among the live ones, and its number among the
/// effect's pending timers, in the order in which they were scheduled.
struct TimerKey: Hashable {
    let wait: TimeStride
    let interval: TimeStride?
    let effect: Int?
    let number: Int
}
