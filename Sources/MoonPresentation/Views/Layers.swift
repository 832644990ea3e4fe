/// Views over each other, each as large as all of them; the last one is uppermost.
public struct Layers<Event: Sendable>: View {
    private let children: [ViewBuilder<Event>.Child]

    /// Creates layers of views, from the lowest to the uppermost.
    public init(@ViewBuilder<Event> _ children: () -> [ViewBuilder<Event>.Child]) { self.children = children() }

    /// The size of the largest view.
    public func naturalSize(in room: Size) -> NaturalSize {
        var columns: Int? = 0
        var rows: Int? = 0
        for child in children {
            let natural = child.view.naturalSize(in: room)
            columns = columns.flatMap { most in natural.columns.map { max(most, $0) } }
            rows = rows.flatMap { most in natural.rows.map { max(most, $0) } }
        }
        return NaturalSize(columns: columns, rows: rows)
    }

    /// Draws the views.
    public func draw(on surface: inout Surface<Event>) {
        let all = Rect(origin: .zero, size: surface.size)
        for child in children { surface.add(child.view, in: all, place: child.place) }
    }
}

/// Views that are laid out by constraints, as those of a whole screen are.
///
/// ```swift
/// Constrained { panel in
///     let title = panel.add(Text("Notes"))
///     title.constrain(.horizontal, to: panel)
///     title.constrain(.top, to: panel)
/// }
/// ```
public struct Constrained<Event: Sendable>: View {
    private let build: @Sendable (LayoutScreen<Event>) -> Void

    /// Creates a view of a function that adds views to a screen, which is a part of the whole one.
    public init(_ build: @escaping @Sendable (LayoutScreen<Event>) -> Void) { self.build = build }

    /// Draws the views.
    public func draw(on surface: inout Surface<Event>) {
        let screen = LayoutScreen<Event>(size: surface.size)
        build(screen)
        let solution = screen.solve(in: Rect(origin: .zero, size: surface.size)).solution
        surface.stage.issues += solution.issues
        screen.draw(on: surface, in: solution.frames)
    }
}
