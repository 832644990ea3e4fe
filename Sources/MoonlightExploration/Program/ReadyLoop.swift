import Moonlight
import Streams

/// A loop for events whose effects are all ready: it only calls `transform` and `apply`.
@usableFromInline
struct ReadyLoop<State: Equatable, Event, Effect, Environment> {
    @usableFromInline let transform: (State, Event, Environment) throws -> AnyPublisher<Effect, Never>
    @usableFromInline let reducer: Reducer<State, Event, Effect, Environment>

    /// The result of handling an event.
    @usableFromInline
    enum Outcome {
        case settled
        /// An effect is not ready, or is tied to a child that may have been removed by then. Or an event follows, and there is
        /// more than one sender, so that others may come before it.
        case unready
        /// The limit of events that follow from each other is reached.
        case endless
    }

    @inlinable
    init(_ reducer: Reducer<State, Event, Effect, Environment>) {
        transform = reducer.transformAlone()
        self.reducer = reducer
    }

    /// Handles an event, and all that follow from it.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - state: The state, which is changed.
    ///   - environment: The environment.
    ///   - most: The number of events that may follow from each other.
    ///   - hasOneSender: True if no other events may come before those that follow.
    ///   - applied: Called with each effect that was applied, and with the state if it was changed.
    ///   - refused: Called with the event or the effect that was refused, and the error.
    @inlinable
    func handle(
        _ event: Event, in state: inout State, _ environment: Environment, most: Int, hasOneSender: Bool,
        applied: (Effect, State?) -> Void, refused: (Any, any Error) -> Void
    ) -> Outcome {
        var (event, following, next) = (event, [Event](), 0)
        while true {
            func take(_ effect: Effect) -> Bool {
                let before = state
                do {
                    following += try reducer.apply(effect, to: &state)
                    applied(effect, state == before ? nil : state)
                } catch { refused(effect, error) }
                return true
            }
            do {
                guard case .taken = try transform(state, event, environment)._sendReady(to: take) else { return .unready }
            } catch { refused(event, error) }
            guard next < following.count else { return .settled }
            guard hasOneSender else { return .unready }
            guard next < most else { return .endless }
            event = following[next]
            next += 1
        }
    }
}
