import Streams

/// All that the future depends on. Two nodes with equal keys have the same future.
///
/// A live effect is known by how it began and by what it has been told since: it is a function of these, as everything that it can
/// learn comes from the calls and timers that it has made. What it has told the loop is in the state. Effects that have ended are
/// forgotten. So are times in the past: only the time until each timer counts.
struct NodeKey: Hashable {
    let state: AnyHashable
    /// The number of events of each limited kind that have come from outside.
    let events: [Int]
    /// The live effects, in the order in which they began: jobs wait for each other in that order.
    let effects: [EffectKey]
    /// The timers, in the order in which they run.
    let timers: [TimerKey]
    let isEnded: Bool

    /// A fingerprint of all of it.
    var print: UInt64 { UInt64(bitPattern: Int64(hashValue)) }

    /// A fingerprint of all but how many events have come.
    var place: UInt64 { NodeKey(state: state, events: [], effects: effects, timers: timers, isEnded: isEnded).print }
}

/// How a live effect began, and what it has been told since.
struct EffectKey: Hashable {
    /// The event and the state that `transform` made it of, and which of its streams it is.
    let event: AnyHashable
    let state: AnyHashable
    let part: Int
    let received: [Received]
}

/// What an effect has been told.
enum Received: Hashable {
    /// The outcome of a call, each by its number.
    case outcome(call: Int, Int)
    /// A timer has run.
    case time
    /// A state, to feedback.
    case state(AnyHashable)
}

/// A timer that waits: the time until it runs, how often it repeats, and the place of its effect among the live ones.
struct TimerKey: Hashable {
    let wait: TimeStride
    let interval: TimeStride?
    let effect: Int?
}
