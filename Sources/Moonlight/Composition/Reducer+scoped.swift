import Streams

extension Reducer {
    /// Returns this reducer as a child that handles a part of the parent's state, events and effects.
    ///
    /// ```swift
    /// counter.scoped(
    ///     to: \App.counter,
    ///     event: CasePath(AppEvent.counter) { if case .counter(let event) = $0 { event } else { nil } },
    ///     effect: CasePath(AppEffect.counter) { if case .counter(let effect) = $0 { effect } else { nil } },
    ///     environment: \.counter)
    /// ```
    /// The child behaves in its parent as it does alone. The ids of its jobs carry its path, so they do not collide with those of
    /// other children. If the key path consists of stored properties, the child's state is accessed in place, and the rest of the
    /// parent's state is neither copied nor compared. Observers then receive each change of the child, even one that the parent's
    /// `==` ignores.
    ///
    /// - Parameters:
    ///   - state: The key path to the child's state.
    ///   - event: The case of the parent's events that carries the child's events.
    ///   - effect: The case of the parent's effects that carries the child's effects.
    ///   - environment: Derives the child's environment from the parent's.
    ///   - name: The name of the child in a ``/LoopValues/ScopePath``; by default, the name of the property.
    ///   - file: The file of this call, for a ``/LoopValues/Rejection``.
    ///   - line: The line of this call, for a ``/LoopValues/Rejection``.
    /// - Returns: A reducer of the parent's state.
    @inlinable
    public func scoped<ParentState: Equatable, ParentEvent, ParentEffect, ParentEnvironment>(
        to state: WritableKeyPath<ParentState, State> & Sendable,
        event: CasePath<ParentEvent, Event>,
        effect: CasePath<ParentEffect, Effect>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        name: String? = nil, file: String = #fileID, line: Int = #line
    ) -> Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment> {
        scoped(
            at: Place(state), Scope(name ?? propertyName(of: state), of: State.self, file: file, line: line),
            event: event.withoutKey, effect: effect.withoutKey, environment: environment)
    }

    /// Returns this reducer as a child that is present while an optional part of the parent's state is not nil.
    ///
    /// When the state becomes nil, the child is removed and its effects in flight are cancelled, including jobs and waiting
    /// effects. An event for an absent child is rejected with a ``/LoopValues/Rejection`` that contains the child's path. If the
    /// state becomes non-nil again, that is a new child. If it is replaced by another value, it remains the same child, unless its
    /// `id` is another one.
    ///
    /// A child may exist to produce a result, as a login or a dialog does. When `result` returns an event after an effect of the
    /// child has changed its state, the child is removed and the parent receives that event, exactly once. It precedes events
    /// that observers send in response to the removal.
    ///
    /// ```swift
    /// login.scoped(
    ///     toOptional: \App.login, event: …, effect: …, environment: \.login,
    ///     result: { $0.user.map(AppEvent.loggedIn) })
    /// ```
    ///
    /// - Parameters:
    ///   - state: The key path to the child's state.
    ///   - id: Returns the child's id. When it changes, the child is removed and a new one takes its place. By default, it never
    ///     changes.
    ///   - event: The case of the parent's events that carries the child's events.
    ///   - effect: The case of the parent's effects that carries the child's effects.
    ///   - environment: Derives the child's environment from the parent's.
    ///   - name: The name of the child in a ``/LoopValues/ScopePath``; by default, the name of the property.
    ///   - result: Returns the child's result as an event of the parent; nil while there is none.
    ///   - file: The file of this call, for a ``/LoopValues/Rejection``.
    ///   - line: The line of this call, for a ``/LoopValues/Rejection``.
    /// - Returns: A reducer of the parent's state.
    @inlinable
    public func scoped<ParentState: Equatable, ParentEvent, ParentEffect, ParentEnvironment>(
        toOptional state: WritableKeyPath<ParentState, State?> & Sendable,
        id: (@Sendable (State) -> any Hashable & Sendable)? = nil,
        event: CasePath<ParentEvent, Event>,
        effect: CasePath<ParentEffect, Effect>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        name: String? = nil, result: (@Sendable (State) -> ParentEvent?)? = nil,
        file: String = #fileID, line: Int = #line
    ) -> Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment> {
        scoped(
            at: OptionalPlace(place: Place(state), identify: id.map { id in { AnyID(id($0)) } }),
            Scope(name ?? propertyName(of: state), of: State.self, file: file, line: line),
            event: event.withoutKey, effect: effect.withoutKey, environment: environment,
            result: result.map { result in { result($1) } })
    }

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
    ///   - name: The name of the child in a ``/LoopValues/ScopePath``; by default, the name that `state` was given or, without one,
    ///     that of the type of the child's state.
    ///   - file: The file of this call, for a ``/LoopValues/Rejection``.
    ///   - line: The line of this call, for a ``/LoopValues/Rejection``.
    /// - Returns: A reducer of the parent's state.
    @inlinable
    public func scoped<ParentState: Equatable, ParentEvent, ParentEffect, ParentEnvironment>(
        toCase state: CasePath<ParentState, State>,
        event: CasePath<ParentEvent, Event>,
        effect: CasePath<ParentEffect, Effect>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        name: String? = nil, file: String = #fileID, line: Int = #line
    ) -> Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment> {
        scoped(
            at: CasePlace(prism: state), Scope(name ?? state.name, of: State.self, file: file, line: line),
            event: event.withoutKey, effect: effect.withoutKey, environment: environment)
    }

    /// Returns this reducer as a collection of children, each identified by its id.
    ///
    /// ```swift
    /// row.scoped(
    ///     toEach: \Table.rows,
    ///     event: CasePath(TableEvent.row) { if case .row(let id, let event) = $0 { (id, event) } else { nil } },
    ///     effect: CasePath(TableEffect.row) { if case .row(let id, let effect) = $0 { (id, effect) } else { nil } },
    ///     environment: \.row)
    /// ```
    /// Effects find their child by its id, wherever it has been moved to. When a child is removed, its effects in flight are
    /// cancelled; those of the other children continue. An event for an absent child is rejected with a ``/LoopValues/Rejection``
    /// that contains the child's path. In an `IdentifiedList`, a child that is removed and inserted again is a new child, even
    /// within one effect, unless that effect makes more than sixteen insertions and removals. A dictionary does not record
    /// removals: there, a child that is removed and inserted within one effect stays the same.
    ///
    /// An event for one child calls only that child; the cost of finding the child depends on the collection, see
    /// ``ChildCollection``.
    ///
    /// - Parameters:
    ///   - children: The key path to the collection of the children's states.
    ///   - event: The case of the parent's events that carries a child's id and event.
    ///   - effect: The case of the parent's effects that carries a child's id and effect.
    ///   - environment: Derives a child's environment from the parent's.
    ///   - name: The name of the children in a ``/LoopValues/ScopePath``; by default, the name of the property.
    ///   - result: Returns a child's result as an event of the parent; nil while there is none. When it returns an event after
    ///     one of the child's own effects has changed its state, the child is removed and the parent receives the event, exactly
    ///     once.
    ///   - file: The file of this call, for a ``/LoopValues/Rejection``.
    ///   - line: The line of this call, for a ``/LoopValues/Rejection``.
    /// - Returns: A reducer of the parent's state.
    @inlinable
    public func scoped<
        ParentState: Equatable, ParentEvent, ParentEffect, ParentEnvironment, Children: ChildCollection
    >(
        toEach children: WritableKeyPath<ParentState, Children> & Sendable,
        event: CasePath<ParentEvent, (Children.ID, Event)>,
        effect: CasePath<ParentEffect, (Children.ID, Effect)>,
        environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        name: String? = nil, result: (@Sendable (Children.ID, State) -> ParentEvent?)? = nil,
        file: String = #fileID, line: Int = #line
    ) -> Reducer<ParentState, ParentEvent, ParentEffect, ParentEnvironment>
    where Children.Child == State, Children.ID: Sendable {
        scoped(
            at: EachPlace(place: Place(children)),
            Scope(name ?? propertyName(of: children), of: State.self, file: file, line: line),
            event: event, effect: effect, environment: environment, result: result)
    }

    /// Returns this reducer as a child at a place of the parent's state.
    ///
    /// - Parameter result: Returns the child's result as an event of the parent; nil while there is none. A child with a result is
    ///   removed.
    @inlinable
    func scoped<Place: ChildPlace, ParentEvent, ParentEffect, ParentEnvironment>(
        at place: Place, _ scope: Scope, event: CasePath<ParentEvent, (Place.Key, Event)>,
        effect: CasePath<ParentEffect, (Place.Key, Effect)>, environment: @escaping @Sendable (ParentEnvironment) -> Environment,
        result: ((Place.Key, State) -> ParentEvent?)? = nil
    ) -> Reducer<Place.Whole, ParentEvent, ParentEffect, ParentEnvironment> where Place.Part == State {
        let hasChildren = parts.contains { $0.prune != nil }
        return Reducer<Place.Whole, ParentEvent, ParentEffect, ParentEnvironment>(
            bind: { [bind, extract = event.extract, embed = effect.embed] loop in
                let decide = bind(loop)
                return { whole, parentEvent, world, isFirst in
                    guard let (key, childEvent) = extract(parentEvent) else { return .none }
                    let effects = try place.use(changing: false, key, of: whole) { state in
                        let effects = try scope.locating(place.id(key, of: nil)) {
                            try decide(state, childEvent, environment(world), isFirst)
                        }
                        return effects.scoped(
                            (scope, place.id(key, of: state), place.version(of: whole)),
                            mayLeave: Place.mayLeave, isFirst: isFirst, { embed((key, $0)) })
                    }
                    guard let effects else { throw scope.absence(place.id(key, of: nil)) }
                    return effects
                }
            },
            mayThrow: mayThrow,
            fold: { [fold, extract = effect.extract, embed = event.embed] whole, parentEffect, folding in
                guard let (key, childEffect) = extract(parentEffect) else { return .none }
                let scopeNode = folding.node?.child(scope.key)
                var inner = Folding<Event>(isAnyChildLive: folding.isAnyChildLive)
                var end: ParentEvent?
                let change = try place.use(changing: true, key, of: whole) { state in
                    if let scopeNode { inner.node = place.node(key, of: state, scope, in: scopeNode) }
                    let change = try scope.locating(place.id(key, of: nil)) { try fold(state, childEffect, &inner) }
                    if change == .none || change == .equal { return change }
                    if let result { end = result(key, state.pointee) }
                    if let child = inner.node { place.leave(child, ifReplacedBy: state, key) }
                    // The setter of a computed property may leave the parent as it was.
                    return place.isStored ? change : .possible
                }
                folding.follow(inner) { embed((key, $0)) }
                if let end {
                    place.remove(key, from: whole)
                    inner.node?.leave()
                    folding.follow(end)
                }
                return change ?? .none
            },
            prune: Place.mayLeave || hasChildren
                ? { whole, node, isEqual in
                    guard let scopeNode = node.child(scope.key) else { return }
                    let inner = { self.prune($0, $1, isEqual: isEqual) }
                    place.prune(whole, scope, scopeNode, isEqual: isEqual, hasChildren ? inner : nil)
                } : nil)
    }
}
