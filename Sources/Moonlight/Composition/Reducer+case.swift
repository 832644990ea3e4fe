extension Reducer {
    /// Returns this reducer as a child that is present while the parent's state, an enum, is in one of its cases.
    ///
    /// ```swift
    /// enum Screen: Equatable { case login(Login), home(Home) }
    ///
    /// let screen = Reducer.combine(
    ///     login.scoped(toCase: CasePath(Screen.login) { … }, event: …, effect: …, environment: \.login),
    ///     home.scoped(toCase: CasePath(Screen.home) { … }, event: …, effect: …, environment: \.home))
    ///
    /// let app = screen.scoped(to: \App.screen, …)
    /// ```
    /// When the state leaves the case, the child is removed, with the same consequences as in `scoped(toOptional:)`.
    ///
    /// - Parameters:
    ///   - state: The case that carries the child's state.
    ///   - event: The case of the parent's events that carries the child's events.
    ///   - effect: The case of the parent's effects that carries the child's effects.
    ///   - environment: Derives the child's environment from the parent's.
    ///   - name: The name of the child in a ``ScopePath``; by default, the name that `state` was given or, without one, that of
    ///     the type of the child's state.
    ///   - file: The file of this call, for a ``Rejection``.
    ///   - line: The line of this call, for a ``Rejection``.
    /// - Returns: A reducer of the parent's state.
    @inlinable
    public func scoped<ParentState: Equatable, ParentEvent, ParentEffect, ParentEnvironment>(
        toCase state: CasePath<ParentState, State>,
        event: CasePath<ParentEvent, Event>,
        effect: CasePath<ParentEffect, Effect>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        name: String? = nil, file: String = #fileID, line: Int = #line
    ) -> Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment> {
        let scope = Scope(name ?? state.name, of: State.self, file: file, line: line)
        return departing(CasePlace(prism: state), scope, event: event, effect: effect, environment: environment)
    }
}
