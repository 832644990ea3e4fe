/// One step of a plan.
///
/// A plan is a list of these; what each does is a function of the world it is played in.
public struct PlanStep<State: Equatable, Event, Effect> {
    enum Kind {
        /// Something happens. It is done again when a fork needs the past.
        case act((PlanWorld<State, Event, Effect>) throws -> Void)
        /// Something that has happened is taken note of, as expected. It is done again, too.
        case note((PlanWorld<State, Event, Effect>) throws -> Void)
        /// Something is looked at.
        case check((PlanWorld<State, Event, Effect>) throws -> Void)
        /// Another end of the story.
        case fork([PlanStep])
    }

    let place: SourcePlace
    /// What the story says.
    let title: () -> String
    let kind: Kind
}

/// Where in the whole a plan's steps look: everywhere, or at a child.
public struct PlanFocus<RootState, RootEvent, RootEffect, State, Event, Effect> {
    /// What the story calls it; empty for the whole.
    let name: String
    /// What its reducer calls the children on the way to it; empty for the whole.
    let scopePath: [String]
    let read: (RootState) -> State?
    let embed: ((Event) -> RootEvent)?
    let extract: ((RootEffect) -> Effect?)?

    /// `cart.count`.
    func path(_ keyPath: AnyKeyPath) -> String {
        name.isEmpty ? keyPath.propertyNames : "\(name).\(keyPath.propertyNames)"
    }

    var title: String { name.isEmpty ? "" : "\(name): " }
}
