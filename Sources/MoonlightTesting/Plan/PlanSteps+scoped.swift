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

    /// Adds steps on a child that is always present, without access to its effects.
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: Creates the parent's event from the child's; usually an enum case.
    ///   - name: The name that the reducer gives the child, if it was given one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child, ChildEvent>(
        to child: KeyPath<State, Child>, event: @escaping (ChildEvent) -> Event, name: String? = nil,
        _ steps: (PlanScope<Self, Child, ChildEvent, Never>) -> PlanScope<Self, Child, ChildEvent, Never>
    ) -> Self {
        scope(focus.path(child), name ?? child.scopeName(of: Child.self), { $0[keyPath: child] }, event, nil, steps)
    }

    /// Adds steps on a child that may be absent. If it is, `when`, `then` and `inFlight` fail, and so does `emits`, unless the child
    /// has left with the effects.
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

    /// Adds steps on a child that may be absent, without access to its effects.
    ///
    /// - Parameters:
    ///   - child: The child's state.
    ///   - event: Creates the parent's event from the child's; usually an enum case.
    ///   - name: The name that the reducer gives the child, if it was given one.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child, ChildEvent>(
        toOptional child: KeyPath<State, Child?>, event: @escaping (ChildEvent) -> Event, name: String? = nil,
        _ steps: (PlanScope<Self, Child, ChildEvent, Never>) -> PlanScope<Self, Child, ChildEvent, Never>
    ) -> Self {
        scope(focus.path(child), name ?? child.scopeName(of: Child.self), { $0[keyPath: child] }, event, nil, steps)
    }

    /// Adds steps on a child that is present while the state, an enum, is in one case.
    ///
    /// - Parameters:
    ///   - child: The case.
    ///   - event: The case of the parent's events that carries those of the child.
    ///   - effect: The case of the parent's effects that carries those of the child.
    ///   - name: The name that the reducer gives the child: by default the name of the case.
    ///   - steps: Adds the steps on the child.
    public func scoped<Child, ChildEvent, ChildEffect>(
        toCase child: CasePath<State, Child>, event: CasePath<Event, ChildEvent>, effect: CasePath<Effect, ChildEffect>,
        name: String,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self {
        let path = focus.name.isEmpty ? name : "\(focus.name).\(name)"
        return scope(path, name, child.extract, event.embed, effect.extract, steps)
    }

    /// Adds steps on one of many children. If it is absent, `when`, `then` and `inFlight` fail, and so does `emits`, unless the child
    /// has left with the effects.
    ///
    /// - Parameters:
    ///   - children: The children.
    ///   - id: The id of the child.
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

/// The steps of a plan on a child, inside `scoped`.
public struct PlanScope<Parent: PlanSteps, State, Event, Effect>: PlanSteps {
    /// The steps so far, and the child that they refer to.
    public var contents: PlanContents<Parent.RootState, Parent.RootEvent, Parent.RootEffect, State, Event, Effect>

    /// Adds an alternative continuation in steps on the child, as ``Plan/fork(_:fileID:file:line:column:_:)`` does in steps on the
    /// whole.
    ///
    /// The fork ends with its own steps: what the plan contains after the scope does not belong to it.
    ///
    /// - Parameters:
    ///   - name: The name of the fork in the trace.
    ///   - steps: Adds the steps of the fork to an empty scope.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    /// - Returns: The steps with the fork.
    public func fork(
        _ name: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ steps: (Self) -> Self
    ) -> Self {
        adding(fork: name, at: SourcePlace(fileID: fileID, file: file, line: line, column: column), steps)
    }
}

extension PlanSteps {
    /// Adds steps on a child.
    ///
    /// - Parameters:
    ///   - name: The name of the child in failures.
    ///   - scopeName: The last element of the child's ``/LoopValues/ScopePath``.
    ///   - child: The child's state; nil if it is absent.
    ///   - event: Creates the parent's event from the child's.
    ///   - effect: Returns the child's effect in one of the parent; nil if the steps inspect none.
    ///   - steps: The steps.
    func scope<Child, ChildEvent, ChildEffect>(
        _ name: String, _ scopeName: String, _ child: @escaping (State) -> Child?, _ event: @escaping (ChildEvent) -> Event,
        _ effect: ((Effect) -> ChildEffect?)?,
        _ steps: (PlanScope<Self, Child, ChildEvent, ChildEffect>) -> PlanScope<Self, Child, ChildEvent, ChildEffect>
    ) -> Self {
        let scope = PlanScope<Self, Child, ChildEvent, ChildEffect>(
            contents: .init(
                focus: .init(
                    name: name,
                    scopePath: focus.scopePath + [scopeName],
                    read: { [focus] in focus.read($0).flatMap(child) },
                    embed: { [focus] in focus.embed(event($0)) },
                    extract: focus.extract.flatMap { extract in
                        effect.map { effect in { extract($0).flatMap(effect) } }
                    })))
        return steps(scope).contents.steps.reduce(self) { $0.adding($1) }
    }
}
