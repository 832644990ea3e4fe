/// The state of a reducer that is run with its history, so that a developer can look at earlier states and leave steps out.
///
/// ``Reducer/inDevelopment(keeping:)`` makes such a reducer, and its page, <doc:Stores>, shows how it is used. What is shown and
/// what is so are two values here: ``shown`` is the state that a developer looks at, ``latest`` the one that the program has come
/// to. Views take the first, feedback takes the second; so looking at an earlier state runs nothing again.
///
/// A *step* is an event that was accepted or an effect that was folded, counted together, from 1. The steps of last are kept, as
/// many as the reducer was asked to; what is older can no longer be looked at or left out.
///
/// The idea, and the words skip, jump, pause and lock, are those of Redux DevTools.
public struct Development<State: Equatable, Event, Effect> {
    /// Something that has happened: an event or an effect.
    public struct Step {
        /// What has happened.
        public enum Content {
            /// An event was accepted.
            case event(Event)
            /// An effect was folded. `cause` is the number of the step of the event that it belongs to, which may be kept no longer.
            case effect(Effect, cause: Int)
        }

        /// What has come of a step.
        public enum Outcome: Hashable, Sendable {
            /// It counts. An event that counts has no meaning for the state by itself, only by its effects.
            case counts
            /// It is left out, or the event that it belongs to is.
            case skipped
            /// `apply` throws: now that another step is left out, or of an effect that had waited until ``Store/unlock()``. It changes
            /// nothing.
            case rejected
        }

        /// Its number; the first step of a loop is 1.
        public let number: Int
        /// What has happened.
        public let content: Content
        /// What has come of it.
        public internal(set) var outcome = Outcome.counts
    }

    /// The state that a developer looks at: ``latest``, or an earlier one after a jump.
    public internal(set) var shown: State
    /// The state that the program has come to: the one that events are decided with, and that feedback should follow.
    public internal(set) var latest: State
    /// The steps that are kept, oldest first.
    public internal(set) var steps: [Step] = []
    /// The step that is looked at; nil if the latest state is shown.
    public internal(set) var position: Int?
    /// Whether steps are not kept at present.
    public internal(set) var isPaused = false
    /// Whether nothing may change at present.
    public internal(set) var isLocked = false

    /// The state before the first step that is kept.
    var base: State
    /// The number of steps so far.
    var count = 0
    /// The numbers of the steps that a developer has left out. That of an event stays when its step is let go of, for its effects may
    /// still be on their way.
    var left: Set<Int> = []
    /// Effects that came while nothing might change, oldest first, each with the step of its event.
    var held: [(effect: Effect, cause: Int)] = []
    /// Grows with everything that happens. Steps cannot be compared, for events and effects need not be `Equatable`.
    var revision = 0

    /// Creates the state of a loop that has done nothing yet.
    ///
    /// - Parameter state: The state before any effect.
    public init(_ state: State) { (shown, latest, base) = (state, state, state) }

    /// The number of effects that wait until ``Store/unlock()``.
    public var heldEffects: Int { held.count }

    /// The numbers of the steps that can be jumped to: those that are kept, and the one before them.
    public var positions: ClosedRange<Int> { count - steps.count...count }
}

extension Development: Equatable {
    /// Two are equal if they show the same, have come to the same, and as much has happened to both.
    public static func == (one: Development, other: Development) -> Bool {
        one.revision == other.revision && one.position == other.position && one.isPaused == other.isPaused
            && one.isLocked == other.isLocked && one.latest == other.latest && one.shown == other.shown
    }
}

extension Development: Sendable where State: Sendable, Event: Sendable, Effect: Sendable {}
extension Development.Step: Sendable where Event: Sendable, Effect: Sendable {}
extension Development.Step.Content: Sendable where Event: Sendable, Effect: Sendable {}

/// An event of a reducer in development: one of the reducer itself, or a command of the developer.
///
/// A ``Store`` has a method for each command. Sent with `await store.send(_:)`, a command that cannot be carried out answers with a
/// ``Rejection`` that says why.
public enum DevelopmentEvent<Event> {
    /// An event of the reducer.
    case event(Event)
    /// See ``Store/skip(_:)``.
    case skip(Int)
    /// See ``Store/restore(_:)``.
    case restore(Int)
    /// See ``Store/jump(to:)``; nil is ``Store/jumpToLatest()``.
    case jump(to: Int?)
    /// See ``Store/pause()``.
    case pause
    /// See ``Store/resume()``.
    case resume
    /// See ``Store/lock()``.
    case lock
    /// See ``Store/unlock()``.
    case unlock
}

extension DevelopmentEvent: Sendable where Event: Sendable {}
extension DevelopmentEvent: Equatable where Event: Equatable {}
extension DevelopmentEvent: Hashable where Event: Hashable {}

/// An effect of a reducer in development.
public enum DevelopmentEffect<Event, Effect> {
    /// An event was accepted; it is the next step.
    case began(Event)
    /// An effect of the reducer, and the number of the step of its event.
    case effect(Effect, cause: Int)
    /// A command of the developer, which can be carried out.
    case command(DevelopmentCommand)
}

extension DevelopmentEffect: Sendable where Event: Sendable, Effect: Sendable {}
extension DevelopmentEffect: Equatable where Event: Equatable, Effect: Equatable {}
extension DevelopmentEffect: Hashable where Event: Hashable, Effect: Hashable {}

/// A command of a developer, as an effect: see ``DevelopmentEvent``.
public enum DevelopmentCommand: Hashable, Sendable {
    /// See ``Store/skip(_:)``.
    case skip(Int)
    /// See ``Store/restore(_:)``.
    case restore(Int)
    /// See ``Store/jump(to:)``; nil is ``Store/jumpToLatest()``.
    case jump(to: Int?)
    /// See ``Store/pause()``.
    case pause
    /// See ``Store/resume()``.
    case resume
    /// See ``Store/lock()``.
    case lock
    /// See ``Store/unlock()``.
    case unlock
}
