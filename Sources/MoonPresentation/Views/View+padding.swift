extension View {
    /// The view with an empty margin.
    ///
    /// ```swift
    /// Text("Hello").padding(.uniform(1) + .left(2))
    /// ```
    public func padding(_ insets: Insets) -> some View<Event> { PaddedView(view: self, insets: insets) }

    /// The view with the same empty margin at all edges.
    public func padding(_ inset: Int = 1) -> some View<Event> { padding(.uniform(inset)) }

    /// The view in the middle, as large as it would like to be; what has no natural size fills the room in that direction.
    public func centered() -> some View<Event> { CenteredView(view: self) }

    /// The view on cells of a style, where it does not draw itself.
    public func background(_ style: Style) -> some View<Event> { BackgroundView(view: self, style: style) }
}

private struct PaddedView<Child: View>: View {
    let view: Child
    let insets: Insets

    var traits: ViewTraits { view.traits }
    func naturalSize(in room: Size) -> NaturalSize {
        view.naturalSize(in: Rect(origin: .zero, size: room).inset(by: insets).size).outset(by: insets)
    }
    func draw(on surface: inout Surface<Child.Event>) {
        surface.draw(view, in: Rect(origin: .zero, size: surface.size).inset(by: insets))
    }
}

private struct CenteredView<Child: View>: View {
    let view: Child

    var traits: ViewTraits { view.traits }
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

private struct BackgroundView<Child: View>: View {
    let view: Child
    let style: Style

    var traits: ViewTraits { view.traits }
    func naturalSize(in room: Size) -> NaturalSize { view.naturalSize(in: room) }
    func draw(on surface: inout Surface<Child.Event>) {
        surface.fill(style: style)
        surface.draw(view, in: Rect(origin: .zero, size: surface.size))
    }
}
