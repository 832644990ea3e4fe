extension View {
    /// The view with an empty margin.
    ///
    /// ```swift
    /// Text("Hello").padding(.uniform(1))
    /// ```
    public func padding(_ insets: Insets) -> some View<Event> { PaddedView(view: self, insets: insets) }

    /// The view in its natural size, centered. It fills the room in a direction in which its size is flexible.
    public func centered() -> some View<Event> { CenteredView(view: self) }

    /// The view on a background of a style.
    public func background(_ style: Style) -> some View<Event> { BackgroundView(view: self, style: style) }
}

private struct PaddedView<Child: View>: ModifiedView {
    let view: Child
    let insets: Insets

    func naturalSize(in room: Size) -> NaturalSize {
        view.naturalSize(in: Rect(origin: .zero, size: room).inset(by: insets).size).outset(by: insets)
    }
    func draw(on surface: inout Surface<Child.Event>) {
        surface.draw(view, in: Rect(origin: .zero, size: surface.size).inset(by: insets))
    }
}

private struct CenteredView<Child: View>: ModifiedView {
    let view: Child

    func naturalSize(in room: Size) -> NaturalSize { .flexible }
    func draw(on surface: inout Surface<Child.Event>) {
        let natural = view.naturalSize(in: surface.size)
        let columns = min(surface.size.columns, natural.columns ?? surface.size.columns)
        let rows = min(surface.size.rows, natural.rows ?? surface.size.rows)
        surface.draw(
            view,
            in: Rect(
                column: (surface.size.columns - columns) / 2, row: (surface.size.rows - rows) / 2, columns: columns, rows: rows))
    }
}

private struct BackgroundView<Child: View>: ModifiedView {
    let view: Child
    let style: Style

    func draw(on surface: inout Surface<Child.Event>) {
        surface.fill(style: style)
        surface.draw(view, in: Rect(origin: .zero, size: surface.size))
    }
}

extension View {
    /// The view with an id, which identifies it among its siblings in the next frame, at any place.
    public func id(_ id: some Hashable & Sendable) -> some View<Event> {
        ViewWithTraits(view: self, traits: ViewTraits(id: ViewID(id), length: traits.length))
    }

    /// The view with a length in rows, columns and grids.
    public func length(_ length: Length) -> some View<Event> {
        ViewWithTraits(view: self, traits: ViewTraits(id: traits.id, length: length))
    }

    /// The view with its focus controlled by a condition: it receives the focus when the condition becomes true, and cannot have
    /// it while the condition is false.
    ///
    /// While the condition is true, the user may move the focus elsewhere.
    ///
    /// ```swift
    /// Field(state.search, edit: Event.search).focused(when: state.isSearching)
    /// ```
    public func focused(when condition: Bool) -> some View<Event> { FocusedView(view: self, condition: condition) }
}

private struct ViewWithTraits<Child: View>: ModifiedView {
    let view: Child
    let traits: ViewTraits

    func draw(on surface: inout Surface<Child.Event>) { surface.draw(view, in: Rect(origin: .zero, size: surface.size)) }
}

private struct FocusedView<Child: View>: ModifiedView {
    let view: Child
    let condition: Bool

    func draw(on surface: inout Surface<Child.Event>) {
        surface.takeFocus(when: condition)
        surface.draw(view, in: Rect(origin: .zero, size: surface.size), mayFocus: condition)
    }
}

extension View {
    /// The view with its events mapped to those of a parent.
    ///
    /// ```swift
    /// card(state.card).map(Event.card)
    /// ```
    /// - Parameter transform: Returns the parent's event for an event of the view.
    public func map<Parent: Sendable>(_ transform: @escaping @Sendable (Event) -> Parent) -> some View<Parent> {
        MappedView(view: self, transform: transform)
    }
}

private struct MappedView<Child: View, Event: Sendable>: ModifiedView {
    let view: Child
    let transform: @Sendable (Child.Event) -> Event

    func draw(on surface: inout Surface<Event>) { surface.draw(view, map: transform) }
}
