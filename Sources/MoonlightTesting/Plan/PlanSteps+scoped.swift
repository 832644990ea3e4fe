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
    /// In nested scopes, the compiler checks this form faster than `scope`, as all types are known.
    ///
    /// - Parameters:
    ///   - child: The key path of the child's state.
    ///   - event: The case of the parent's events that contains those of the child.
    ///   - effect: The case of the parent's effects that contains those of the child.
    ///   - name: The child's name, if its reducer was scoped with one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child, ChildEvent, ChildEffect>(
        to child: KeyPath<State, Child>, event: CasePath<Event, ChildEvent>, effect: CasePath<Effect, ChildEffect>,
        name: String? = nil,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self {
        let scopeName = name ?? child.scopeName(of: Child.self)
        return scope(focus.path(child), scopeName, { $0[keyPath: child] }, event.embed, effect.extract, steps)
    }

    /// Adds steps on an optional child. A step fails if the child is absent at that point.
    ///
    /// - Parameters:
    ///   - child: The key path of the child's state.
    ///   - event: The case of the parent's events that contains those of the child.
    ///   - effect: The case of the parent's effects that contains those of the child.
    ///   - name: The child's name, if its reducer was scoped with one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child, ChildEvent, ChildEffect>(
        toOptional child: KeyPath<State, Child?>, event: CasePath<Event, ChildEvent>, effect: CasePath<Effect, ChildEffect>,
        name: String? = nil,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self {
        let scopeName = name ?? child.scopeName(of: Child.self)
        return scope(focus.path(child), scopeName, { $0[keyPath: child] }, event.embed, effect.extract, steps)
    }

    /// Adds steps on a child that is present while the state, an enum, has a certain case.
    ///
    /// - Parameters:
    ///   - child: The case of the state.
    ///   - event: The case of the parent's events that contains those of the child.
    ///   - effect: The case of the parent's effects that contains those of the child.
    ///   - name: The child's name in the story and in its reducer, where it is that of the case unless the reducer was scoped
    ///     with another.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child, ChildEvent, ChildEffect>(
        toCase child: CasePath<State, Child>, event: CasePath<Event, ChildEvent>, effect: CasePath<Effect, ChildEffect>,
        name: String,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self { scope(name, child.extract, event: event.embed, effect: effect.extract, steps) }

    /// Adds steps on one of many children. A step fails if the child is absent at that point.
    ///
    /// - Parameters:
    ///   - children: The key path of the children.
    ///   - id: The id of the child.
    ///   - event: The case of the parent's events that contains a child's id and event.
    ///   - effect: The case of the parent's effects that contains a child's id and effect.
    ///   - name: The children's name, if their reducer was scoped with one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Children: ChildCollection, ChildEvent, ChildEffect>(
        toEach children: KeyPath<State, Children>, id: Children.ID, event: CasePath<Event, (Children.ID, ChildEvent)>,
        effect: CasePath<Effect, (Children.ID, ChildEffect)>, name: String? = nil,
        _ steps: (PlanScope<Self, Children.Child, ChildEvent, ChildEffect>)
            -> PlanScope<Self, Children.Child, ChildEvent, ChildEffect>
    ) -> Self {
        let scopeName = name ?? children.scopeName(of: Children.Child.self)
        return scope(
            "\(focus.path(children))[\(id)]", "\(scopeName)[\(id)]", { $0[keyPath: children].child(id) },
            { event.embed((id, $0)) }, { effect.extract($0).flatMap { $0.0 == id ? $0.1 : nil } }, steps)
    }
}
