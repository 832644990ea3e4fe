import Moonlight

/// The steps of a plan: on the whole program or, inside `scoped`, on a child.
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

    /// Returns these steps with a fork.
    ///
    /// - Parameters:
    ///   - name: The name of the fork.
    ///   - place: The place of the fork in the source.
    ///   - steps: Adds the steps of the fork to none.
    func adding(fork name: String, at place: SourcePlace, _ steps: (Self) -> Self) -> Self {
        var empty = self
        empty.contents.steps = []
        return adding(PlanStep(place: place, title: { "Or: \(name)" }, kind: .fork(steps(empty).contents.steps)))
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
            throw PlanFault("\(focus.name) is absent. The state is \(ValueText.shown("\(world.state)"))")
        }
        return state
    }
}

/// The fault of a step. The runner of the plan adds the step.
package struct PlanFault: Error {
    let message: String
    package init(_ message: String) { self.message = message }
}

/// One step of a plan: a function of the world that the plan runs in.
struct PlanStep<State: Equatable, Event, Effect> {
    enum Kind {
        /// Changes the world. It is replayed for a fork.
        case act((PlanWorld<State, Event, Effect>) throws -> Void)
        /// Marks calls as expected, or leftovers as allowed. It is replayed for a fork, too.
        case note((PlanWorld<State, Event, Effect>) throws -> Void)
        /// Checks the world, and leaves it unchanged.
        case check((PlanWorld<State, Event, Effect>) throws -> Void)
        /// Runs steps in a copy of the world.
        case fork([PlanStep])
    }

    let place: SourcePlace
    /// The line in the trace; empty for none.
    let title: () -> String
    let kind: Kind
}

/// The part of the root state, events and effects that steps refer to: the whole, or a child.
struct PlanFocus<RootState, RootEvent, RootEffect, State, Event, Effect> {
    /// The name of the child in the trace; empty for the whole.
    let name: String
    /// The names that the reducer gives to the children on the path to this one; empty for the whole.
    let scopePath: [String]
    /// Returns the state of the child; nil if the child is absent.
    let read: (RootState) -> State?
    /// Wraps an event of the child in one of the root.
    let embed: (Event) -> RootEvent
    /// Returns the child's effect in one of the root; nil if the steps cannot inspect effects.
    let extract: ((RootEffect) -> Effect?)?

    /// Returns the name of a property in the trace, such as `cart.count`.
    func path(_ keyPath: AnyKeyPath) -> String {
        name.isEmpty ? keyPath.propertyNames : "\(name).\(keyPath.propertyNames)"
    }

    /// The prefix of the title of a step on a child.
    var title: String { name.isEmpty ? "" : "\(name): " }
}

/// The contents of a plan: its steps so far, and the part of the root that they refer to. The library's steps read and extend it.
public struct PlanContents<RootState: Equatable, RootEvent, RootEffect, State, Event, Effect> {
    let focus: PlanFocus<RootState, RootEvent, RootEffect, State, Event, Effect>
    var steps: [PlanStep<RootState, RootEvent, RootEffect>] = []
}
