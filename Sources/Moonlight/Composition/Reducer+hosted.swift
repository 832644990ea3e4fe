extension Reducer {
    /// Returns a reducer whose state contains that of this one, and which decides which events and effects reach this one.
    ///
    /// Children of this reducer stay children: their effects in flight end when any effect of the host removes them. Paths and
    /// ids of jobs stay as they are, unlike those of a scoped reducer. For a history of the reducer, for example.
    ///
    /// - Parameters:
    ///   - part: The key path to the state of this reducer.
    ///   - event: Wraps an event that follows from an effect of this reducer.
    ///   - transform: Decides about an event, with a call of this reducer's own `transform`.
    ///   - apply: Folds an effect, with a call of this reducer's own `apply`. It must throw before it has changed anything.
    package func hosted<Whole: Equatable, WholeEvent, WholeEffect>(
        at part: WritableKeyPath<Whole, State> & Sendable,
        event: @escaping @Sendable (Event) -> WholeEvent,
        transform:
            @escaping (Whole, WholeEvent, _ next: (Event) throws -> Effects<Effect>) throws -> Effects<WholeEffect>,
        apply: @escaping (inout Whole, WholeEffect, _ next: (inout State, Effect) throws -> Void) throws -> Void
    ) -> Reducer<Whole, WholeEvent, WholeEffect, Environment> {
        let place = Place(part)
        return Reducer<Whole, WholeEvent, WholeEffect, Environment>(
            bind: { [bind] loop in
                let decide = bind(loop)
                return { whole, event, environment, _ in
                    try transform(whole.pointee, event) { event in
                        try place.use(changing: false, whole) { try decide($0, event, environment, false) }
                    }
                }
            },
            mayThrow: true,
            fold: { [fold] whole, effect, folding in
                let node = folding.node
                var inner = Folding<Event>(node: node, isAnyChildLive: folding.isAnyChildLive)
                try apply(&whole.pointee, effect) { state, effect in
                    _ = try withUnsafeMutablePointer(to: &state) { try fold($0, effect, &inner) }
                }
                if let node { place.use(changing: false, whole) { self.prune($0, node, isEqual: false) } }
                folding.follow(inner, event)
                // The host may have left everything as it was.
                return .possible
            },
            prune: { whole, node, isEqual in place.use(changing: false, whole) { self.prune($0, node, isEqual: isEqual) } })
    }
}
