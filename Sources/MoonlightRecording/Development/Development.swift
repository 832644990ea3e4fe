import Moonlight

/// The state of a reducer with its history, in which a developer can inspect earlier states and skip steps.
///
/// ``Moonlight/Reducer/inDevelopment(keeping:)`` creates such a reducer; <doc:TimeTravel> shows its use. Views use
/// ``displayed``, the state that the developer inspects; feedback uses ``latest``, the state that the program has reached, so
/// that inspecting an earlier state repeats no work.
///
/// A *step* is an accepted event or an applied effect. Both are counted together, from 1. The last steps are kept, up to a
/// limit; older ones can no longer be displayed or skipped.
///
/// The idea and the terms skip, jump, pause and lock are from Redux DevTools.
public struct Development<State: Equatable, Event, Effect> {
    /// An event or an effect in the history.
    public struct Step {
        /// The event or the effect.
        public enum Content {
            /// An event was accepted.
            case event(Event)
            /// An effect was applied. `cause` is the number of its event's step, which may no longer be kept.
            case effect(Effect, cause: Int)
        }

        /// The role of a step in the latest state.
        public enum Outcome: Hashable, Sendable {
            /// The step is in effect. An event changes the state only by its effects.
            case inEffect
            /// The step, or its event, was skipped.
            case skipped
            /// `apply` threw: after another step was skipped, or for an effect that was held until
            /// ``DevelopmentCommand/unlock``. The step changes nothing.
            case rejected
        }

        /// The number of the step; the first step of a loop is 1.
        public let number: Int
        /// The event or the effect.
        public let content: Content
        /// The role of the step in the latest state.
        public internal(set) var outcome = Outcome.inEffect
    }

    /// The state that the developer inspects: ``latest``, or an earlier one after a jump.
    public internal(set) var displayed: State
    /// The state that the program has reached: events are decided with it, and feedback should observe it.
    public internal(set) var latest: State
    /// The kept steps, oldest first.
    public internal(set) var steps: [Step] = []
    /// The number of the step whose state is displayed; nil for the latest.
    public internal(set) var position: Int?
    /// True while the history is paused, so that no steps are kept.
    public internal(set) var isPaused = false
    /// True while the state is locked, so that nothing changes.
    public internal(set) var isLocked = false

    /// The state before the first kept step.
    var base: State
    /// The number of steps so far.
    var count = 0
    /// The numbers of the skipped steps. The number of an event remains after its step is dropped, since its effects may
    /// still be in flight.
    var skipped: Set<Int> = []
    /// The effects that arrived while the state was locked, oldest first, each with the number of its event's step.
    var held: [(effect: Effect, cause: Int)] = []
    /// A number that grows with each change. Steps cannot be compared, since events and effects need not be `Equatable`.
    var revision = 0

    /// Creates the state of a loop that has not started.
    ///
    /// - Parameter state: The state before any effect.
    public init(_ state: State) {
        displayed = state
        latest = state
        base = state
    }

    /// The numbers of the steps that can be displayed: those that are kept, and the one before them.
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
/// ```swift
/// store.send(.event(.add))
/// store.send(.command(.skip(3)))
/// ```
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
    /// An effect of the reducer, with the number of its event's step.
    case effect(Effect, cause: Int)
    /// A command that can be executed.
    case command(DevelopmentCommand)
}

extension DevelopmentEffect: Sendable where Event: Sendable, Effect: Sendable {}
extension DevelopmentEffect: Equatable where Event: Equatable, Effect: Equatable {}
extension DevelopmentEffect: Hashable where Event: Hashable, Effect: Hashable {}

/// A command of a developer, sent as ``DevelopmentEvent/command(_:)``.
///
/// Like an event, it goes through the loop's mailbox, and may be sent from any thread. It is rejected with a `Rejection` if it
/// cannot be executed, such as a command for a step that is not kept.
public enum DevelopmentCommand: Hashable, Sendable {
    /// Skips a step: the state becomes that of a program without the step.
    ///
    /// An event is skipped with all its effects. Effects that are still in flight continue, and are skipped when they arrive.
    /// The consequences that the event had for other events remain. The effects in flight of a child that is removed are
    /// cancelled.
    case skip(Int)
    /// Restores a skipped step. Its effects are folded, not run; effects of a child that was removed with the step are not
    /// started again.
    case restore(Int)
    /// Displays the state after a step, one of ``Development/positions``, until the next jump; nil for the latest state.
    ///
    /// The program continues: events are decided with ``Development/latest``, and effects in flight change it.
    case jump(to: Int?)
    /// Stops keeping steps, until ``resume``. The program continues.
    ///
    /// The next step, or otherwise `resume`, drops the history so far, because later states can no longer be derived from it.
    /// No step can be skipped while the history is paused.
    case pause
    /// Resumes keeping steps after ``pause``, with a new history.
    case resume
    /// Locks the state until ``unlock``.
    ///
    /// Events are rejected. Work in flight continues, and effects that arrive are held, in order; memory grows with them.
    /// Commands of the developer are executed.
    case lock
    /// Ends ``lock``, and folds the held effects, oldest first.
    case unlock
}
