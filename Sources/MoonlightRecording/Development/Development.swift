import Moonlight

/// The state of a reducer that runs with its history, so that a developer can look at earlier states and leave steps out.
///
/// ``Moonlight/Reducer/inDevelopment(keeping:)`` makes such a reducer; <doc:TimeTravel> shows its use. ``displayed`` and ``latest``
/// are separate values: ``displayed`` is the state that the developer looks at, ``latest`` the one that the program has reached.
/// Views take the first, feedback takes the second, so that looking at an earlier state runs nothing again.
///
/// A *step* is an event that was accepted or an effect that was applied. Both are counted together, from 1. The last steps are kept,
/// up to a limit; older ones can no longer be displayed or left out.
///
/// The idea, and the words skip, jump, pause and lock, are from Redux DevTools.
public struct Development<State: Equatable, Event, Effect> {
    /// An event or an effect in the history.
    public struct Step {
        /// The event or the effect.
        public enum Content {
            /// An event was accepted.
            case event(Event)
            /// An effect was applied. `cause` is the number of the step of its event, which may no longer be kept.
            case effect(Effect, cause: Int)
        }

        /// The part that a step has in the latest state.
        public enum Outcome: Hashable, Sendable {
            /// The step is in effect. An event changes the state only by its effects.
            case inEffect
            /// The step, or its event, was skipped.
            case skipped
            /// `apply` threw: after another step was skipped, or for an effect that was held until ``Moonlight/Store/unlock()``. The
            /// step changes nothing.
            case rejected
        }

        /// The number of the step; the first step of a loop is 1.
        public let number: Int
        /// The event or the effect.
        public let content: Content
        /// The part that the step has in the latest state.
        public internal(set) var outcome = Outcome.inEffect
    }

    /// The state that the developer looks at: ``latest``, or an earlier one after a jump.
    public internal(set) var displayed: State
    /// The state that the program has reached: events are decided with it, and feedback should follow it.
    public internal(set) var latest: State
    /// The steps that are kept, oldest first.
    public internal(set) var steps: [Step] = []
    /// The number of the step whose state is displayed; nil for the latest.
    public internal(set) var position: Int?
    /// Whether the history is paused, so that no steps are kept.
    public internal(set) var isPaused = false
    /// Whether the state is locked, so that nothing changes.
    public internal(set) var isLocked = false

    /// The state before the first step that is kept.
    var base: State
    /// The number of steps so far.
    var count = 0
    /// The numbers of the steps that were skipped. The number of an event stays here when its step is dropped, as its effects may still
    /// be in flight.
    var skipped: Set<Int> = []
    /// The effects that arrived while the state was locked, oldest first, each with the number of the step of its event.
    var held: [(effect: Effect, cause: Int)] = []
    /// A number that grows with each change. Steps cannot be compared, as events and effects need not be `Equatable`.
    var revision = 0

    /// Creates the state of a loop that has done nothing yet.
    ///
    /// - Parameter state: The state before any effect.
    public init(_ state: State) {
        displayed = state
        latest = state
        base = state
    }

    /// The number of effects that are held until ``Moonlight/Store/unlock()``.
    public var heldEffects: Int { held.count }

    /// The numbers of the steps that can be jumped to: those that are kept, and the one before them.
    public var positions: ClosedRange<Int> { count - steps.count...count }
}

extension Development: Equatable {
    /// Returns whether two histories display the same state, have the same latest state, and have changed equally often.
    public static func == (one: Development, other: Development) -> Bool {
        one.revision == other.revision && one.position == other.position && one.isPaused == other.isPaused
            && one.isLocked == other.isLocked && one.latest == other.latest && one.displayed == other.displayed
    }
}

extension Development: Sendable where State: Sendable, Event: Sendable, Effect: Sendable {}
extension Development.Step: Sendable where Event: Sendable, Effect: Sendable {}
extension Development.Step.Content: Sendable where Event: Sendable, Effect: Sendable {}

/// An event of a reducer in development: one of the reducer itself, or a command of the developer.
///
/// A store has a method for each command. If a command is sent with `await store.send(_:)` and cannot be carried out, the result
/// contains a `Rejection` with the reason.
public enum DevelopmentEvent<Event> {
    /// An event of the reducer.
    case event(Event)
    /// A command of the developer.
    case command(DevelopmentCommand)
}

extension DevelopmentEvent: Sendable where Event: Sendable {}
extension DevelopmentEvent: Equatable where Event: Equatable {}
extension DevelopmentEvent: Hashable where Event: Hashable {}

/// An effect of a reducer in development.
public enum DevelopmentEffect<Event, Effect> {
    /// An event was accepted; it is the next step.
    case began(Event)
    /// An effect of the reducer, with the number of the step of its event.
    case effect(Effect, cause: Int)
    /// A command of the developer that can be carried out.
    case command(DevelopmentCommand)
}

extension DevelopmentEffect: Sendable where Event: Sendable, Effect: Sendable {}
extension DevelopmentEffect: Equatable where Event: Equatable, Effect: Equatable {}
extension DevelopmentEffect: Hashable where Event: Hashable, Effect: Hashable {}

/// A command of a developer.
public enum DevelopmentCommand: Hashable, Sendable {
    /// Leaves a step out: see ``Moonlight/Store/skip(_:)``.
    case skip(Int)
    /// Takes a skipped step in again: see ``Moonlight/Store/restore(_:)``.
    case restore(Int)
    /// Displays the state after a step: see ``Moonlight/Store/jump(to:)``; nil for the latest.
    case jump(to: Int?)
    /// Stops keeping steps: see ``Moonlight/Store/pause()``.
    case pause
    /// Keeps steps again: see ``Moonlight/Store/resume()``.
    case resume
    /// Lets nothing change: see ``Moonlight/Store/lock()``.
    case lock
    /// Lets the state change again: see ``Moonlight/Store/unlock()``.
    case unlock
}
