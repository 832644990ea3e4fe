/// What an effect brings along on its way through the parts of a reducer, and what they leave for the loop.
@usableFromInline
struct Folding<Event> {
    /// The events that follow, in order; nil, and not an empty list, spares what lists cost.
    @usableFromInline var events: [Event]?
    /// The place of the state in the tree of scopes, if any stream is live there.
    @usableFromInline var node: ScopeNode?
    /// The means to change the state where it lies, if the whole state has not been changed yet and no other part will change it.
    @usableFromInline var inPlaceUpdate: InPlaceUpdate?

    @inlinable
    init(node: ScopeNode? = nil, inPlaceUpdate: InPlaceUpdate? = nil) {
        (self.node, self.inPlaceUpdate) = (node, inPlaceUpdate)
    }

    @inlinable
    mutating func follow(_ event: Event) { events = (events ?? []) + [event] }

    /// Adds the events that follow in a child.
    @inlinable
    mutating func follow<Child>(_ child: Folding<Child>, _ embed: (Child) -> Event) {
        if let others = child.events { events = (events ?? []) + others.map(embed) }
    }

    /// Takes the events out.
    @usableFromInline
    mutating func takeEvents() -> [Event] {
        defer { events = nil }
        return events ?? []
    }
}
