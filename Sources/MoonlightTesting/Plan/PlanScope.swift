import Moonlight

/// The steps that a plan takes on a child, inside `scoped`.
public struct PlanScope<Parent: PlanSteps, State, Event, Effect>: PlanSteps {
    /// The steps so far, and the child that they refer to.
    public var contents: PlanContents<Parent.RootState, Parent.RootEvent, Parent.RootEffect, State, Event, Effect>
}

extension PlanSteps {
    /// Takes steps on a child.
    ///
    /// - Parameters:
    ///   - name: How failures name the child.
    ///   - scopeName: The last element of the child's ``ScopePath``.
    ///   - child: The child's state; nil if it is absent.
    ///   - event: Makes an event of the parent from one of the child; nil if the steps send none.
    ///   - effect: Returns the child's effect in one of the parent; nil if the steps look at none.
    ///   - steps: The steps.
    func scope<Child, ChildEvent, ChildEffect>(
        _ name: String, _ scopeName: String, _ child: @escaping (State) -> Child?, _ event: ((ChildEvent) -> Event)?,
        _ effect: ((Effect) -> ChildEffect?)?,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self {
        let scope = PlanScope<Self, Child, ChildEvent, ChildEffect>(
            contents: .init(
                focus: .init(
                    name: name,
                    scopePath: focus.scopePath + [scopeName],
                    read: { [focus] in focus.read($0).flatMap(child) },
                    embed: focus.embed.flatMap { embed in event.map { event in { embed(event($0)) } } },
                    extract: focus.extract.flatMap { extract in
                        effect.map { effect in { extract($0).flatMap(effect) } }
                    })))
        return steps(scope).contents.steps.reduce(self) { $0.adding($1) }
    }
}
