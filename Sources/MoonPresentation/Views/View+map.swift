extension View {
    /// The view as a part of one that has other events.
    ///
    /// ```swift
    /// card(state.card).map(Event.card)
    /// ```
    /// - Parameter transform: Makes an event of the parent of one of the child, as the child's reducer is scoped into the parent's.
    public func map<Parent: Sendable>(_ transform: @escaping @Sendable (Event) -> Parent) -> some View<Parent> {
        MappedView(view: self, transform: transform)
    }
}

private struct MappedView<Child: View, Event: Sendable>: View {
    let view: Child
    let transform: @Sendable (Child.Event) -> Event

    var traits: ViewTraits { view.traits }
    func naturalSize(in room: Size) -> NaturalSize { view.naturalSize(in: room) }
    func draw(on surface: inout Surface<Event>) { surface.draw(view, map: transform) }
}
