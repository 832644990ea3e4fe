/// The Elm Architecture: a loop in which `transform` turns an event into a stream of effects, a pure `apply` folds each
/// effect into the state, and `feedback` turns the stream of states back into streams of events.
///
///             ┌──────────────── events ◄───────────────┐
///             ▼                                        │
///     transform(state, event, environment)         feedback
///             │                                        ▲
///             └─► effects ─► apply(state, effect) ─► states
///
/// An *effect* here is what has happened and changes the state; the work that leads to it is the stream that `transform`
/// returns. See `start` for the guarantees.
public enum Moonlight {}
