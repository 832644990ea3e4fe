import Moonlight

// Steps on a child, in the words in which its reducer was scoped.
extension PlanSteps {
    /// Steps on a child that is always there.
    ///
    /// ```swift
    /// plan.scoped(to: \.cart, event: AppEvent.cart, effect: AppEffect.cart) { cart in
    ///     cart.when(.add(.milk)).then(\.items.count, equals: 1)
    /// }
    /// ```
    /// Scopes in scopes are checked faster by the compiler like this than by `scope`, as all types are known.
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: Which of the parent's events are the child's.
    ///   - effect: Which of the parent's effects are the child's.
    ///   - name: What the reducer calls the child, if it was given a name.
    ///   - steps: The steps.
    public func scoped<Child, ChildEvent, ChildEffect>(
        to child: KeyPath<State, Child>, event: CasePath<Event, ChildEvent>, effect: CasePath<Effect, ChildEffect>,
        name: String? = nil,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self {
        let scopeName = name ?? child.scopeName(of: Child.self)
        return scope(focus.path(child), scopeName, { $0[keyPath: child] }, event.embed, effect.extract, steps)
    }

    /// Steps on a child that may not be there, but must be while there are steps on it.
    ///
    /// - Parameter name: What the reducer calls the child, if it was given a name.
    public func scoped<Child, ChildEvent, ChildEffect>(
        toOptional child: KeyPath<State, Child?>, event: CasePath<Event, ChildEvent>, effect: CasePath<Effect, ChildEffect>,
        name: String? = nil,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self {
        let scopeName = name ?? child.scopeName(of: Child.self)
        return scope(focus.path(child), scopeName, { $0[keyPath: child] }, event.embed, effect.extract, steps)
    }

    /// Steps on a child that is there while the state, an enum, is in a case.
    ///
    /// - Parameter name: What the story calls it; what the reducer does: the case's name, unless it was given another.
    public func scoped<Child, ChildEvent, ChildEffect>(
        toCase child: CasePath<State, Child>, event: CasePath<Event, ChildEvent>, effect: CasePath<Effect, ChildEffect>,
        name: String,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self { scope(name, child.extract, event: event.embed, effect: effect.extract, steps) }

    /// Steps on one of many children, which must be there while there are steps on it.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - name: What the reducer calls the children, if it was given a name.
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
