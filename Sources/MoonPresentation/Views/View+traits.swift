extension View {
    /// The view with an id, by which it is known again in the next frame, wherever it stands among its siblings then.
    public func id(_ id: some Hashable & Sendable) -> some View<Event> {
        TraitsView(view: self, traits: ViewTraits(id: ViewID(id), length: traits.length))
    }

    /// The view with a length of its own in rows, columns and grids.
    public func length(_ length: Length) -> some View<Event> {
        TraitsView(view: self, traits: ViewTraits(id: traits.id, length: length))
    }

    /// The view with another natural size.
    ///
    /// - Parameters:
    ///   - columns: The number of columns; nil for that of the view.
    ///   - rows: The number of rows; nil for that of the view.
    public func natural(columns: Int? = nil, rows: Int? = nil) -> some View<Event> {
        NaturalView(view: self, size: NaturalSize(columns: columns, rows: rows))
    }

    /// The view, which takes the focus at the moment in which a condition becomes true, and has none while it is false.
    ///
    /// While the condition is false, neither the view nor one in it can be given the focus, be it by Tab, by the mouse or as the first
    /// view; if it had the focus, another view gets it. While the condition is true, the user may move the focus elsewhere.
    ///
    /// ```swift
    /// Field(state.search, edit: Event.search).focused(when: state.isSearching)
    /// ```
    public func focused(when condition: Bool) -> some View<Event> { FocusedView(view: self, condition: condition) }
}

private struct TraitsView<Child: View>: View {
    let view: Child
    let traits: ViewTraits

    func naturalSize(in room: Size) -> NaturalSize { view.naturalSize(in: room) }
    func draw(on surface: inout Surface<Child.Event>) { surface.draw(view, in: Rect(origin: .zero, size: surface.size)) }
}

private struct NaturalView<Child: View>: View {
    let view: Child
    let size: NaturalSize

    var traits: ViewTraits { view.traits }
    func naturalSize(in room: Size) -> NaturalSize {
        let natural = view.naturalSize(in: Size(columns: size.columns ?? room.columns, rows: size.rows ?? room.rows))
        return NaturalSize(columns: size.columns ?? natural.columns, rows: size.rows ?? natural.rows)
    }
    func draw(on surface: inout Surface<Child.Event>) { surface.draw(view, in: Rect(origin: .zero, size: surface.size)) }
}

private struct FocusedView<Child: View>: View {
    let view: Child
    let condition: Bool

    var traits: ViewTraits { view.traits }
    func naturalSize(in room: Size) -> NaturalSize { view.naturalSize(in: room) }
    func draw(on surface: inout Surface<Child.Event>) {
        surface.takeFocus(when: condition)
        surface.draw(view, in: Rect(origin: .zero, size: surface.size), mayFocus: condition)
    }
}

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
