/// Views below one another.
///
/// ```swift
/// Rows(spacing: 1) {
///     Text("Notes", style: .bold)
///     List(notes.lines, selected: notes.selected, select: Event.select)
/// }
/// ```
/// A view with a natural height gets it, as long as there is room; the others share the rest. ``View/length(_:)`` sets another
/// length.
public struct Rows<Event: Sendable>: Widget {
    private let stack: Stack<Event>

    /// Creates rows.
    ///
    /// - Parameters:
    ///   - spacing: Empty rows between two views.
    ///   - children: The views.
    public init(spacing: Int = 0, @ViewBuilder<Event> _ children: () -> [ViewBuilder<Event>.Child]) {
        stack = Stack(axis: .vertical, spacing: Cells.clamped(spacing), children: children())
    }

    /// The largest width, and the sum of the heights.
    func preferredSize(in room: Size) -> NaturalSize { stack.naturalSize(in: room) }
    /// Draws the views.
    func paint(on surface: inout Surface<Event>) { stack.draw(on: &surface) }
}

/// Views side by side.
///
/// ```swift
/// Columns(spacing: 1) {
///     names.length(.fraction(0.3))
///     details
/// }
/// ```
/// A view with a natural width gets it, as long as there is room; the others share the rest. ``View/length(_:)`` sets another
/// length.
public struct Columns<Event: Sendable>: Widget {
    private let stack: Stack<Event>

    /// Creates columns.
    ///
    /// - Parameters:
    ///   - spacing: Empty columns between two views.
    ///   - children: The views.
    public init(spacing: Int = 0, @ViewBuilder<Event> _ children: () -> [ViewBuilder<Event>.Child]) {
        stack = Stack(axis: .horizontal, spacing: Cells.clamped(spacing), children: children())
    }

    /// The sum of the widths, and the largest height.
    func preferredSize(in room: Size) -> NaturalSize { stack.naturalSize(in: room) }
    /// Draws the views.
    func paint(on surface: inout Surface<Event>) { stack.draw(on: &surface) }
}

/// Views that follow one another in one direction.
struct Stack<Event: Sendable>: View {
    let axis: Axis
    let spacing: Int
    let children: [ViewBuilder<Event>.Child]
    private let sizes = NaturalSizes()

    init(axis: Axis, spacing: Int, children: [ViewBuilder<Event>.Child]) {
        self.axis = axis
        self.spacing = spacing
        self.children = children
    }

    func naturalSize(in room: Size) -> NaturalSize { sizes.natural(in: room) { measured(in: room) } }

    private func measured(in room: Size) -> NaturalSize {
        guard !children.isEmpty else { return NaturalSize(columns: 0, rows: 0) }
        let places = places(in: room)
        let naturals = zip(children, places).map { natural($0, in: $1.size) }
        let across = naturals.largest { $0[axis.other] }
        let along = zip(children, naturals).sum(spacing: spacing) { child, natural in
            child.view.traits.length.natural(along: natural[axis], of: room[axis])
        }
        return axis == .horizontal ? NaturalSize(columns: along, rows: across) : NaturalSize(columns: across, rows: along)
    }

    func draw(on surface: inout Surface<Event>) {
        for (child, place) in zip(children, places(in: surface.size)) {
            surface.add(child.view, in: place, place: child.place)
        }
    }

    private func places(in size: Size) -> [Rect] {
        let tracks = Tracks(
            size[axis], lengths: children.map(\.view.traits.length), spacing: spacing,
            natural: { natural(children[$0], in: size)[axis] })
        return tracks.ranges.map { range in
            axis == .horizontal
                ? Rect(column: range.lowerBound, row: 0, columns: range.count, rows: size.rows)
                : Rect(column: 0, row: range.lowerBound, columns: size.columns, rows: range.count)
        }
    }

    private func natural(_ child: ViewBuilder<Event>.Child, in room: Size) -> NaturalSize { child.view.naturalSize(in: room) }
}

extension Sequence {
    /// The largest length of the elements, at least 0; nil if one is flexible.
    func largest(_ length: (Element) -> Int?) -> Int? {
        reduce(0 as Int?) { most, element in most.flatMap { most in length(element).map { Swift.max(most, $0) } } }
    }

    /// The sum of the lengths of the elements and of the gaps between them; nil if one is flexible.
    func sum(spacing: Int, _ length: (Element) -> Int?) -> Int? {
        let gap = Swift.max(0, spacing)
        let sum = reduce(0 as Int?) { sum, element in sum.flatMap { sum in length(element).map { sum + $0 + gap } } }
        return sum.map { Swift.max(0, $0 - gap) }
    }
}

extension Axis {
    /// The other direction.
    var other: Axis { self == .horizontal ? .vertical : .horizontal }
}

extension Length {
    /// The preferred length of an item; nil if it is flexible.
    func natural(along natural: Int?, of total: Int) -> Int? {
        let wanted: Int? =
            switch kind {
            case .automatic: natural
            case .content: natural ?? 0
            case .cells(let count): count
            case .fraction(let fraction): Cells.floor(Double(total) * fraction)
            case .share: nil
            }
        return wanted.map { max(least, min(most, $0)) }
    }
}

/// Views on top of one another, all of the same size. The last one is uppermost.
public struct Layers<Event: Sendable>: Widget {
    private let children: [ViewBuilder<Event>.Child]

    /// Creates layers, from the lowest to the uppermost.
    public init(@ViewBuilder<Event> _ children: () -> [ViewBuilder<Event>.Child]) { self.children = children() }

    /// The size of the largest view.
    func preferredSize(in room: Size) -> NaturalSize {
        let naturals = children.map { $0.view.naturalSize(in: room) }
        return NaturalSize(columns: naturals.largest(\.columns), rows: naturals.largest(\.rows))
    }

    /// Draws the views.
    func paint(on surface: inout Surface<Event>) {
        let all = Rect(origin: .zero, size: surface.size)
        for child in children { surface.add(child.view, in: all, place: child.place) }
    }
}
