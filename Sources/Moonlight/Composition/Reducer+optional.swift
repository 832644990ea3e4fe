extension Reducer {
    /// Returns this reducer as a child that is present while an optional part of the parent's state is not nil.
    ///
    /// When the state becomes nil, the child is removed and its effects in flight are cancelled, including jobs and waiting
    /// effects. An event for an absent child is rejected with a ``Rejection`` that contains the child's path. If the state
    /// becomes non-nil again, that is a new child. If it is replaced by another value, it remains the same child; use the form
    /// with `id` to tell such children apart.
    ///
    /// A child may exist to produce a result, as a login or a dialog does. When `result` returns an event after one of the
    /// child's own effects has changed its state, the child is removed and the parent receives that event exactly once, before
    /// any events that observers send in response to the removal.
    ///
    /// ```swift
    /// login.scoped(
    ///     toOptional: \App.login, event: …, effect: …, environment: \.login,
    ///     result: { $0.user.map(AppEvent.loggedIn) })
    /// ```
    /// - Parameters:
    ///   - state: The key path to the child's state.
    ///   - event: The case of the parent's events that carries the child's events.
    ///   - effect: The case of the parent's effects that carries the child's effects.
    ///   - environment: Derives the child's environment from the parent's.
    ///   - name: The name of the child in a ``ScopePath``; by default, the name of the property.
    ///   - result: Returns the child's result as an event of the parent; nil while there is none.
    ///   - file: The file of this call, for a ``Rejection``.
    ///   - line: The line of this call, for a ``Rejection``.
    /// - Returns: A reducer of the parent's state.
    @inlinable
    public func scoped<ParentState: Equatable, ParentEvent, ParentEffect, ParentEnvironment>(
        toOptional state: WritableKeyPath<ParentState, State?> & Sendable,
        event: CasePath<ParentEvent, Event>,
        effect: CasePath<ParentEffect, Effect>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        name: String? = nil, result: (@Sendable (State) -> ParentEvent?)? = nil,
        file: String = #fileID, line: Int = #line
    ) -> Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment> {
        let place = Place(state)
        let scope = Scope(name ?? place.name, of: State.self, file: file, line: line)
        return departing(
            OptionalPlace(place: place), scope, event: event, effect: effect, environment: environment, result: result)
    }

    /// Returns this reducer as a child that is present while an optional part of the parent's state is not nil, and that is the
    /// same child as long as its id is the same.
    ///
    /// - Parameters:
    ///   - state: The key path to the child's state.
    ///   - id: Returns the child's id. When it changes, the child is removed and a new one takes its place.
    ///   - event: The case of the parent's events that carries the child's events.
    ///   - effect: The case of the parent's effects that carries the child's effects.
    ///   - environment: Derives the child's environment from the parent's.
    ///   - name: The name of the child in a ``ScopePath``; by default, the name of the property.
    ///   - result: Returns the child's result as an event of the parent; nil while there is none.
    ///   - file: The file of this call, for a ``Rejection``.
    ///   - line: The line of this call, for a ``Rejection``.
    /// - Returns: A reducer of the parent's state.
    @inlinable
    public func scoped<ParentState: Equatable, ParentEvent, ParentEffect, ParentEnvironment, ID: Hashable & Sendable>(
        toOptional state: WritableKeyPath<ParentState, State?> & Sendable,
        id: @escaping @Sendable (State) -> ID,
        event: CasePath<ParentEvent, Event>,
        effect: CasePath<ParentEffect, Effect>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        name: String? = nil, result: (@Sendable (State) -> ParentEvent?)? = nil,
        file: String = #fileID, line: Int = #line
    ) -> Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment> {
        let place = Place(state)
        let scope = Scope(name ?? place.name, of: State.self, file: file, line: line)
        return departing(
            OptionalPlace(place: place), scope, event: event, effect: effect, environment: environment,
            identify: { AnyID(id($0)) }, result: result)
    }
}
