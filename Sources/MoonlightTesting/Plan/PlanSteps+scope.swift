import Moonlight

extension PlanSteps {
    /// Steps on a child.
    ///
    /// ```swift
    /// plan.scope(\.cart, event: AppEvent.cart) { cart in
    ///     cart.when(.add(.milk)).then(\.items.count, equals: 1)
    /// }
    /// ```
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: Makes an event of the parent's of one of the child's.
    ///   - effect: Which of the parent's effects are the child's; needed to look at them.
    ///   - steps: The steps.
    public func scope<Child, ChildEvent, ChildEffect>(
        _ child: KeyPath<State, Child>, event: @escaping (ChildEvent) -> Event,
        effect: @escaping (Effect) -> ChildEffect?,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, event, effect, steps) }

    /// Steps on a child that may not be there, but must be while there are steps on it.
    public func scope<Child, ChildEvent, ChildEffect>(
        _ child: KeyPath<State, Child?>, event: @escaping (ChildEvent) -> Event,
        effect: @escaping (Effect) -> ChildEffect?,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, event, effect, steps) }

    /// Steps on a child, without a look at its effects.
    public func scope<Child, ChildEvent>(
        _ child: KeyPath<State, Child>, event: @escaping (ChildEvent) -> Event,
        _ steps: (PlanScope<Self, Child, ChildEvent, Never>) -> PlanScope<Self, Child, ChildEvent, Never>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, event, nil, steps) }

    /// Steps on a child that may not be there, without a look at its effects.
    public func scope<Child, ChildEvent>(
        _ child: KeyPath<State, Child?>, event: @escaping (ChildEvent) -> Event,
        _ steps: (PlanScope<Self, Child, ChildEvent, Never>) -> PlanScope<Self, Child, ChildEvent, Never>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, event, nil, steps) }

    /// Steps that look at a child, and send nothing to it.
    public func scope<Child>(
        _ child: KeyPath<State, Child>,
        _ steps: (PlanScope<Self, Child, Never, Never>) -> PlanScope<Self, Child, Never, Never>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, nil, nil, steps) }

    /// Steps that look at a child that may not be there, and send nothing to it.
    public func scope<Child>(
        _ child: KeyPath<State, Child?>,
        _ steps: (PlanScope<Self, Child, Never, Never>) -> PlanScope<Self, Child, Never, Never>
    ) -> Self { scope(focus.path(child), child.scopeName(of: Child.self), { $0[keyPath: child] }, nil, nil, steps) }

    /// Steps on a part of the state that no key path leads to: one of many children, a case of an enum.
    ///
    /// - Parameters:
    ///   - name: What the story calls it.
    ///   - child: The child's state; nil if it is not there.
    ///   - event: Makes an event of the parent's of one of the child's.
    ///   - effect: Which of the parent's effects are the child's.
    ///   - steps: The steps.
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

/// Steps on a child: see `scope`.
public struct PlanScope<Parent: PlanSteps, State, Event, Effect>: PlanSteps {
    /// Where the steps look.
    public let focus: PlanFocus<Parent.RootState, Parent.RootEvent, Parent.RootEffect, State, Event, Effect>
    var steps: [PlanStep<Parent.RootState, Parent.RootEvent, Parent.RootEffect>]

    /// The steps with one more.
    public func adding(_ step: PlanStep<Parent.RootState, Parent.RootEvent, Parent.RootEffect>) -> Self {
        var copy = self
        copy.steps.append(step)
        return copy
    }
}
