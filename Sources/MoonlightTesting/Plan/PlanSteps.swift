import Moonlight

/// What a plan is written in: steps on the whole, or on a child of it (see `scope`).
///
/// Each step returns a new plan, which goes on from this one; nothing runs before `run()`.
public protocol PlanSteps<State, Event, Effect> {
    /// The state of the whole.
    associatedtype RootState: Equatable
    /// The events of the whole.
    associatedtype RootEvent
    /// The effects of the whole.
    associatedtype RootEffect
    /// The state that steps look at.
    associatedtype State
    /// The events that steps send.
    associatedtype Event
    /// The effects that steps look at.
    associatedtype Effect

    /// Where steps look.
    var focus: PlanFocus<RootState, RootEvent, RootEffect, State, Event, Effect> { get }

    /// The plan with one more step.
    func adding(_ step: PlanStep<RootState, RootEvent, RootEffect>) -> Self
}

extension PlanSteps {
    typealias World = PlanWorld<RootState, RootEvent, RootEffect>

    func acting(
        _ title: @autoclosure @escaping () -> String, _ place: SourcePlace, _ act: @escaping (World) throws -> Void
    ) -> Self { adding(PlanStep(place: place, title: title, kind: .act(act))) }

    func noting(
        _ title: @autoclosure @escaping () -> String, _ place: SourcePlace, _ note: @escaping (World) throws -> Void
    ) -> Self { adding(PlanStep(place: place, title: title, kind: .note(note))) }

    func checking(
        _ title: @autoclosure @escaping () -> String, _ place: SourcePlace, _ check: @escaping (World) throws -> Void
    ) -> Self { adding(PlanStep(place: place, title: title, kind: .check(check))) }

    /// The state that a step looks at.
    func state(in world: World) throws -> State {
        guard let state = focus.read(world.state) else {
            throw PlanFault("\(focus.name) is not there. The state is \(Differences.shown("\(world.state)"))")
        }
        return state
    }
}

/// What is wrong with a step, before it is known which.
struct PlanFault: Error {
    let message: String
    init(_ message: String) { self.message = message }
}
