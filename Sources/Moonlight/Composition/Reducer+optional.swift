extension Reducer {
    /// This reducer as a child that is there while an optional part of the parent's state is.
    ///
    /// When the child leaves, for its state has become nil, its effects in flight are cancelled, jobs and waiting effects
    /// included; an event for a child that is not there is refused with a ``Rejection`` that names its path. A child that
    /// comes back is a new one. A new value in place of the old one is the same child, unless it has an `id`, and that has
    /// changed.
    ///
    /// A child may be there to answer something: a login, a dialog. Once `result` makes an event of its state, after an
    /// effect of its own, the child is taken out and the parent gets the event, exactly once, before anything that observers send
    /// when they see it gone.
    ///
    /// ```swift
    /// login.scoped(
    ///     toOptional: \App.login, event: …, effect: …, environment: \.login,
    ///     result: { $0.user.map(AppEvent.loggedIn) })
    /// ```
    /// - Parameters:
    ///   - state: Where the child's state is.
    ///   - event: Which of the parent's events are the child's.
    ///   - effect: Which of the parent's effects are the child's.
    ///   - environment: The child's environment out of the parent's.
    ///   - name: What the child is called in a ``ScopePath``; the property, if nothing else is given.
    ///   - result: The child's result, as the parent's event; nil while there is none.
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

    /// This reducer as a child that is there while an optional part of the parent's state is, and the same one as long as
    /// its id stays.
    ///
    /// See the form without `id` for the rest.
    ///
    /// - Parameter id: The child's id: where it changes, one child leaves and another comes.
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
