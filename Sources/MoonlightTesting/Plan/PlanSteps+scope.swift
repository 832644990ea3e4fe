import Moonlight

extension PlanSteps {
    /// Adds steps on a child.
    ///
    /// ```swift
    /// plan.scope(\.cart, event: AppEvent.cart) { cart in
    ///     cart.when(.add(.milk)).then(\.items.count, equals: 1)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - child: The key path of the child's state.
    ///   - event: Wraps an event of the child in one of the parent's.
    ///   - effect: Returns the child's effect in one of the parent's; nil if there is none. Needed for steps that check effects.
    ///   - steps: Adds the steps on the child.
    public func scope<Child, ChildEvent, ChildEffect>(
        _ child: KeyPath<State, Child>, event: @escaping (ChildEvent) -> Event,
        effect: @escaping (Effect) -> ChildEffect?,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, event, effect, steps) }

    /// Adds steps on an optional child. A step fails if the child is absent at that point.
    ///
    /// - Parameters:
    ///   - child: The key path of the child's state.
    ///   - event: Wraps an event of the child in one of the parent's.
    ///   - effect: Returns the child's effect in one of the parent's; nil if there is none. Needed for steps that check effects.
    ///   - steps: Adds the steps on the child.
    public func scope<Child, ChildEvent, ChildEffect>(
        _ child: KeyPath<State, Child?>, event: @escaping (ChildEvent) -> Event,
        effect: @escaping (Effect) -> ChildEffect?,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, event, effect, steps) }

    /// Adds steps on a child that do not check its effects.
    ///
    /// - Parameters:
    ///   - child: The key path of the child's state.
    ///   - event: Wraps an event of the child in one of the parent's.
    ///   - steps: Adds the steps on the child.
    public func scope<Child, ChildEvent>(
        _ child: KeyPath<State, Child>, event: @escaping (ChildEvent) -> Event,
        _ steps: (PlanScope<Self, Child, ChildEvent, Never>) -> PlanScope<Self, Child, ChildEvent, Never>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, event, nil, steps) }

    /// Adds steps on an optional child that do not check its effects. A step fails if the child is absent at that point.
    ///
    /// - Parameters:
    ///   - child: The key path of the child's state.
    ///   - event: Wraps an event of the child in one of the parent's.
    ///   - steps: Adds the steps on the child.
    public func scope<Child, ChildEvent>(
        _ child: KeyPath<State, Child?>, event: @escaping (ChildEvent) -> Event,
        _ steps: (PlanScope<Self, Child, ChildEvent, Never>) -> PlanScope<Self, Child, ChildEvent, Never>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, event, nil, steps) }

    /// Adds steps that check a child's state and send it no events.
    ///
    /// - Parameters:
    ///   - child: The key path of the child's state.
    ///   - steps: Adds the steps on the child.
    public func scope<Child>(
        _ child: KeyPath<State, Child>,
        _ steps: (PlanScope<Self, Child, Never, Never>) -> PlanScope<Self, Child, Never, Never>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, nil, nil, steps) }

    /// Adds steps that check an optional child's state and send it no events. A step fails if the child is absent at that point.
    ///
    /// - Parameters:
    ///   - child: The key path of the child's state.
    ///   - steps: Adds the steps on the child.
    public func scope<Child>(
        _ child: KeyPath<State, Child?>,
        _ steps: (PlanScope<Self, Child, Never, Never>) -> PlanScope<Self, Child, Never, Never>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, nil, nil, steps) }

    /// Adds steps on a part of the state that no key path leads to, such as one of many children or the payload of an enum case.
    ///
    /// - Parameters:
    ///   - name: The name of the part in the story.
    ///   - child: Returns the child's state; nil if it is absent, which fails the step.
    ///   - event: Wraps an event of the child in one of the parent's.
    ///   - effect: Returns the child's effect in one of the parent's; nil if there is none.
    ///   - steps: Adds the steps on the child.
    public func scope<Child, ChildEvent, ChildEffect>(
        _ name: String, _ child: @escaping (State) -> Child?, event: @escaping (ChildEvent) -> Event,
        effect: @escaping (Effect) -> ChildEffect?,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self { scope(focus.name.isEmpty ? name : "\(focus.name).\(name)", name, child, event, effect, steps) }

    func scope<Child, ChildEvent, ChildEffect>(
        _ name: String, _ scopeName: String, _ child: @escaping (State) -> Child?, _ event: ((ChildEvent) -> Event)?,
        _ effect: ((Effect) -> ChildEffect?)?,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self {
        let scope = PlanScope<Self, Child, ChildEvent, ChildEffect>(
            focus: .init(
                name: name,
                scopePath: focus.scopePath + [scopeName],
                read: { [focus] in focus.read($0).flatMap(child) },
                embed: focus.embed.flatMap { embed in event.map { event in { embed(event($0)) } } },
                extract: focus.extract.flatMap { extract in
                    effect.map { effect in { extract($0).flatMap(effect) } }
                }),
            steps: [])
        return steps(scope).steps.reduce(self) { $0.adding($1) }
    }
}

/// The steps of a plan on a child; see `scope`.
public struct PlanScope<Parent: PlanSteps, State, Event, Effect>: PlanSteps {
    /// The child that the steps refer to.
    public let focus: PlanFocus<Parent.RootState, Parent.RootEvent, Parent.RootEffect, State, Event, Effect>
    var steps: [PlanStep<Parent.RootState, Parent.RootEvent, Parent.RootEffect>]

    /// Returns the steps with one more.
    public func adding(_ step: PlanStep<Parent.RootState, Parent.RootEvent, Parent.RootEffect>) -> Self {
        var copy = self
        copy.steps.append(step)
        return copy
    }
}
