@_exported import IdentifiedLists
@_exported import LoopValues
@_exported import PlainText

/// The Elm Architecture: a loop in which `transform` turns an event into a stream of effects, a pure `apply` folds each
/// effect into the state, and `feedback` turns the stream of states into streams of events.
///
///             ┌──────────────── events ◄───────────────┐
///             ▼                                        │
///     transform(state, event, environment)         feedback
///             │                                        ▲
///             └─► effects ─► apply(state, effect) ─► states
///
/// Here, an *effect* is the result of an event, and `apply` changes the state accordingly. The work that produces effects is the
/// stream that `transform` returns. See `start` for the guarantees.
public enum Moonlight {}
