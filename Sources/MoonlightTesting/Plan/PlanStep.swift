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
    /// The line of the story; empty for none.
    let title: () -> String
    let kind: Kind
}

/// The part of the root state, events and effects that steps refer to: the whole, or a child.
struct PlanFocus<RootState, RootEvent, RootEffect, State, Event, Effect> {
    /// The name of the child in the story; empty for the whole.
    let name: String
    /// The names that the reducer gives to the children on the way to this one; empty for the whole.
    let scopePath: [String]
    /// Returns the state of the child; nil if the child is absent.
    let read: (RootState) -> State?
    /// Wraps an event of the child in one of the root; nil if the steps cannot send events.
    let embed: ((Event) -> RootEvent)?
    /// Returns the child's effect in one of the root; nil if the steps cannot look at effects.
    let extract: ((RootEffect) -> Effect?)?

    /// Returns the name of a property in the story, such as `cart.count`.
    func path(_ keyPath: AnyKeyPath) -> String {
        name.isEmpty ? keyPath.propertyNames : "\(name).\(keyPath.propertyNames)"
    }

    /// What precedes the title of a step on a child.
    var title: String { name.isEmpty ? "" : "\(name): " }
}

/// The contents of a plan: its steps so far, and the part of the root that they refer to. The library's steps read and extend it.
public struct PlanContents<RootState: Equatable, RootEvent, RootEffect, State, Event, Effect> {
    let focus: PlanFocus<RootState, RootEvent, RootEffect, State, Event, Effect>
    var steps: [PlanStep<RootState, RootEvent, RootEffect>] = []
}
