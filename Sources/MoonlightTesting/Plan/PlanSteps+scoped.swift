import Moonlight

// Steps on a child, with the same arguments with which its reducer was scoped.
extension PlanSteps {
    /// Adds steps on a child that is always present.
    ///
    /// ```swift
    /// plan.scoped(to: \.cart, event: AppEvent.cart, effect: AppEffect.cart) { cart in
    ///     cart.when(.add(.milk)).then(\.items.count, equals: 1)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: The case of the parent's events that carries those of the child.
    ///   - effect: The case of the parent's effects that carries those of the child.
    ///   - name: The name that the reducer gives the child, if it was given one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child, ChildEvent, ChildEffect>(
        to child: KeyPath<State, Child>, event: CasePath<Event, ChildEvent>, effect: CasePath<Effect, ChildEffect>,
        name: String? = nil,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self {
        let scopeName = name ?? child.scopeName(of: Child.self)
        return scope(focus.path(child), scopeName, { $0[keyPath: child] }, event.embed, effect.extract, steps)
    }

    /// Adds steps on a child that is always present, without looking at its effects.
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: Makes an event of the parent from one of the child; usually the case itself.
    ///   - name: The name that the reducer gives the child, if it was given one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child, ChildEvent>(
        to child: KeyPath<State, Child>, event: @escaping (ChildEvent) -> Event, name: String? = nil,
        _ steps: (PlanScope<Self, Child, ChildEvent, Never>) -> PlanScope<Self, Child, ChildEvent, Never>
    ) -> Self {
        scope(focus.path(child), name ?? child.scopeName(of: Child.self), { $0[keyPath: child] }, event, nil, steps)
    }

    /// Adds steps that look at the state of a child that is always present, and send it nothing.
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - name: The name that the reducer gives the child, if it was given one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child>(
        to child: KeyPath<State, Child>, name: String? = nil,
        _ steps: (PlanScope<Self, Child, Never, Never>) -> PlanScope<Self, Child, Never, Never>
    ) -> Self { scope(focus.path(child), name ?? child.scopeName(of: Child.self), { $0[keyPath: child] }, nil, nil, steps) }

    /// Adds steps on a child that may be absent. A step fails if it is.
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: The case of the parent's events that carries those of the child.
    ///   - effect: The case of the parent's effects that carries those of the child.
    ///   - name: The name that the reducer gives the child, if it was given one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child, ChildEvent, ChildEffect>(
        toOptional child: KeyPath<State, Child?>, event: CasePath<Event, ChildEvent>, effect: CasePath<Effect, ChildEffect>,
        name: String? = nil,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self {
        let scopeName = name ?? child.scopeName(of: Child.self)
        return scope(focus.path(child), scopeName, { $0[keyPath: child] }, event.embed, effect.extract, steps)
    }

    /// Adds steps on a child that may be absent, without looking at its effects.
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: Makes an event of the parent from one of the child; usually the case itself.
    ///   - name: The name that the reducer gives the child, if it was given one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child, ChildEvent>(
        toOptional child: KeyPath<State, Child?>, event: @escaping (ChildEvent) -> Event, name: String? = nil,
        _ steps: (PlanScope<Self, Child, ChildEvent, Never>) -> PlanScope<Self, Child, ChildEvent, Never>
    ) -> Self {
        scope(focus.path(child), name ?? child.scopeName(of: Child.self), { $0[keyPath: child] }, event, nil, steps)
    }

    /// Adds steps that look at the state of a child that may be absent, and send it nothing.
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - name: The name that the reducer gives the child, if it was given one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child>(
        toOptional child: KeyPath<State, Child?>, name: String? = nil,
        _ steps: (PlanScope<Self, Child, Never, Never>) -> PlanScope<Self, Child, Never, Never>
    ) -> Self { scope(focus.path(child), name ?? child.scopeName(of: Child.self), { $0[keyPath: child] }, nil, nil, steps) }

    /// Adds steps on a child that is present while the state, an enum, is in one case.
    ///
    /// - Parameters:
    ///   - child: The case.
    ///   - event: The case of the parent's events that carries those of the child.
    ///   - effect: The case of the parent's effects that carries those of the child.
    ///   - name: The name that the reducer gives the child: the name of the case, unless it was given another.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child, ChildEvent, ChildEffect>(
        toCase child: CasePath<State, Child>, event: CasePath<Event, ChildEvent>, effect: CasePath<Effect, ChildEffect>,
        name: String,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self {
        let path = focus.name.isEmpty ? name : "\(focus.name).\(name)"
        return scope(path, name, child.extract, event.embed, effect.extract, steps)
    }

    /// Adds steps on one of many children. A step fails if it is absent.
    ///
    /// - Parameters:
    ///   - children: The children.
    ///   - id: The id of the one.
    ///   - event: The case of the parent's events that carries those of a child, with its id.
    ///   - effect: The case of the parent's effects that carries those of a child, with its id.
    ///   - name: The name that the reducer gives the children, if they were given one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Children: ChildCollection, ChildEvent, ChildEffect>(
        toEach children: KeyPath<State, Children>, id: Children.ID, event: CasePath<Event, (Children.ID, ChildEvent)>,
        effect: CasePath<Effect, (Children.ID, ChildEffect)>, name: String? = nil,
        _ steps: (PlanScope<Self, Children.Child, ChildEvent, ChildEffect>)
            -> PlanScope<Self, Children.Child, ChildEvent, ChildEffect>
    ) -> Self {
        let scopeName = name ?? children.scopeName(of: Children.Child.self)
        return scope(
            "\(focus.path(children))[\(id)]", "\(scopeName)[\(id)]", { $0[keyPath: children][id: id] },
            { event.embed((id, $0)) }, { effect.extract($0).flatMap { $0.0 == id ? $0.1 : nil } }, steps)
    }
}
