import Streams

/// The complete description of a node: nodes with equal keys have the same future.
///
/// A live effect is identified by its origin, the outcomes that it has received since, and its cancelled calls. These determine it,
/// since all its input comes from its calls and timers, and from those who cancel a job in it, and all its output is in the state.
/// Effects that have ended do not count, nor do times in the past: only the time until each timer does.
struct NodeKey: Hashable {
    let state: AnyHashable
    /// The number of events from each limited source so far.
    let events: [Int]
    /// The live effects, in the order in which they began, which is the order in which jobs wait for each other.
    let effects: [EffectKey]
    /// The timers, in the order in which they run.
    let timers: [TimerKey]
    let isEnded: Bool

    /// A fingerprint of the key.
    var print: UInt64 { UInt64(bitPattern: Int64(hashValue)) }

    /// A fingerprint of the key without the numbers of events.
    var place: UInt64 { NodeKey(state: state, events: [], effects: effects, timers: timers, isEnded: isEnded).print }
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
    /// A timer has run.
    case time
    /// A state, received by feedback.
    case state(AnyHashable)
}

/// A pending timer: the time until it fires, its interval, and the index of its effect among the live ones.
struct TimerKey: Hashable {
    let wait: TimeStride
    let interval: TimeStride?
    let effect: Int?
}
