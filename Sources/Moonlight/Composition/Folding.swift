/// What the loop passes along with an effect to the parts of a reducer, and the events that these return to the loop.
@usableFromInline
struct Folding<Event> {
    /// The events that follow from the effect, in order. Nil rather than empty, to avoid the cost of an array.
    @usableFromInline var events: [Event]?
    /// The node of the state in the tree of scopes; nil if no stream is live there.
    @usableFromInline var node: ScopeNode?

    @inlinable
    init(node: ScopeNode? = nil) { self.node = node }

    @inlinable
    mutating func follow(_ event: Event) { events = (events ?? []) + [event] }

    /// Adds the events that follow from the effect in a child.
    @inlinable
    mutating func follow<Child>(_ child: Folding<Child>, _ embed: (Child) -> Event) {
        if let others = child.events { events = (events ?? []) + others.map(embed) }
    }

    /// Removes and returns the events.
    @usableFromInline
    mutating func takeEvents() -> [Event] {
        defer { events = nil }
        return events ?? []
    }
}
