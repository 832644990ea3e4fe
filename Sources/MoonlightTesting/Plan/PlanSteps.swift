import Moonlight
import SwiftText

/// The steps of a plan, on the whole or on a child (see `scope`).
///
/// Each step returns a new plan that continues this one. Nothing runs before `run()`.
public protocol PlanSteps<State, Event, Effect> {
    /// The state of the root reducer.
    associatedtype RootState: Equatable
    /// The events of the root reducer.
    associatedtype RootEvent
    /// The effects of the root reducer.
    associatedtype RootEffect
    /// The state that steps refer to.
    associatedtype State
    /// The events that steps send.
    associatedtype Event
    /// The effects that steps refer to.
    associatedtype Effect

    /// The steps so far, and the part of the root that they refer to.
    var contents: PlanContents<RootState, RootEvent, RootEffect, State, Event, Effect> { get set }
}

extension PlanSteps {
    typealias World = PlanWorld<RootState, RootEvent, RootEffect>

    /// The part of the root that steps refer to.
    var focus: PlanFocus<RootState, RootEvent, RootEffect, State, Event, Effect> { contents.focus }

    /// Returns the plan with one more step.
    func adding(_ step: PlanStep<RootState, RootEvent, RootEffect>) -> Self {
        var copy = self
        copy.contents.steps.append(step)
        return copy
    }

    func acting(
        _ title: @autoclosure @escaping () -> String, _ place: SourcePlace, _ act: @escaping (World) throws -> Void
    ) -> Self { adding(PlanStep(place: place, title: title, kind: .act(act))) }

    func noting(
        _ title: @autoclosure @escaping () -> String, _ place: SourcePlace, _ note: @escaping (World) throws -> Void
    ) -> Self { adding(PlanStep(place: place, title: title, kind: .note(note))) }

    func checking(
        _ title: @autoclosure @escaping () -> String, _ place: SourcePlace, _ check: @escaping (World) throws -> Void
    ) -> Self { adding(PlanStep(place: place, title: title, kind: .check(check))) }

    /// Returns the state that a step refers to. Throws if the child is absent.
    func state(in world: World) throws -> State {
        guard let state = focus.read(world.state) else {
            throw PlanFault("\(focus.name) is not there. The state is \(ValueText.shown("\(world.state)"))")
        }
        return state
    }
}

/// What is wrong with a step. The runner of the plan adds which step it is.
package struct PlanFault: Error {
    let message: String
    package init(_ message: String) { self.message = message }
}
