import Streams

/// A loop for events whose effects are all ready: it only calls `transform` and `apply`.
///
/// An exploration uses it, to try events without a loop.
@usableFromInline
package struct ReadyLoop<State: Equatable, Event, Effect, Environment> {
    @usableFromInline let decide: Reducer<State, Event, Effect, Environment>.Decide
    @usableFromInline let fold: Reducer<State, Event, Effect, Environment>.Part.Fold

    /// The result of handling an event.
    @usableFromInline
    package enum Outcome {
        case settled
        /// An effect is not ready, or is tied to a child that may have been removed by then.
        case unready
        /// The limit of events that follow from each other is reached.
        case endless
    }

    @inlinable
    package init(_ reducer: Reducer<State, Event, Effect, Environment>) {
        decide = reducer.bind(nil)
        fold = reducer.fold
    }

    /// Handles an event, and all that follow from it.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - state: The state, which is changed.
    ///   - environment: The environment.
    ///   - most: The number of events that may follow from each other.
    ///   - applied: Called with each effect that was applied, and with the state if it was changed.
    ///   - refused: Called with the event or the effect that was refused, and why.
    @inlinable
    package func handle(
        _ event: Event, in state: inout State, _ environment: Environment, most: Int,
        applied: (Effect, State?) -> Void, refused: (Any, any Error) -> Void
    ) -> Outcome {
        var (event, following, next) = (event, [Event](), 0)
        while true {
            var effects = Effects<Effect>.none
            do { effects = try decide(&state, event, environment, true) } catch { refused(event, error) }
            var isReady = true
            func take(_ effect: Effect) {
                let before = state
                var folding = Folding<Event>()
                do {
                    let change = try fold(&state, effect, &folding)
                    following += folding.takeEvents()
                    if case .none = change { applied(effect, nil) } else { applied(effect, state == before ? nil : state) }
                } catch { refused(effect, error) }
            }
            switch effects.storage {
            case .one(let stream): isReady = Self.send(stream, take)
            case .several(let streams):
                for (place, stream) in streams.enumerated() where isReady {
                    isReady = stream.scope.isEmpty || place == 0 && stream.isSingle ? Self.send(stream.effects, take) : false
                }
            }
            guard isReady else { return .unready }
            guard next < following.count else { return .settled }
            guard next < most else { return .endless }
            event = following[next]
            next += 1
        }
    }

    @inlinable
    static func send(_ stream: AnyPublisher<Effect, Never>, _ take: (Effect) -> Void) -> Bool {
        switch stream.storage {
        case .just(let effect):
            take(effect)
            return true
        default:
            guard
                case .taken = stream._sendReady(to: { effect in
                    take(effect)
                    return true
                })
            else { return false }
            return true
        }
    }
}
