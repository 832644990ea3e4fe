extension Reducer {
    /// This reducer as a child that is there while the parent's state, an enum, is in one of its cases.
    ///
    /// ```swift
    /// enum Screen: Equatable { case login(Login), home(HomeActor) }
    ///
    /// let screen = Reducer.combine(
    ///     login.scoped(toCase: CasePath(Screen.login) { … }, event: …, effect: …, environment: \.login),
    ///     home.scoped(toCase: CasePath(Screen.home) { … }, event: …, effect: …, environment: \.home))
    ///
    /// let app = screen.scoped(to: \App.screen, …)
    /// ```
    /// To leave the case is to leave: what is said of an optional child holds.
    ///
    /// - Parameters:
    ///   - state: The case that the child's state is in.
    ///   - event: Which of the parent's events are the child's.
    ///   - effect: Which of the parent's effects are the child's.
    ///   - environment: The child's environment out of the parent's.
    ///   - name: What the child is called in a ``ScopePath``; the name of the case, if nothing else is given.
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
