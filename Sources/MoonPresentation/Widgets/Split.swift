/// Two views with a line between them, which the mouse can drag. When the room changes, the views keep their fractions of it.
///
/// ```swift
/// Split(.horizontal, at: 0.3) { names } second: { details }
/// ```
public struct Split<Event: Sendable>: Widget {
    private let axis: Axis
    private let fraction: Double
    private let first: Rows<Event>
    private let second: Rows<Event>

    /// Creates a split.
    ///
    /// - Parameters:
    ///   - axis: The direction of the split.
    ///   - fraction: The fraction of the first view, from 0 to 1, until the line is dragged.
    ///   - first: The view at the left, or above.
    ///   - second: The view at the right, or below.
    public init(
        _ axis: Axis, at fraction: Double = 0.5, @ViewBuilder<Event> first: () -> [ViewBuilder<Event>.Child],
        @ViewBuilder<Event> second: () -> [ViewBuilder<Event>.Child]
    ) {
        self.axis = axis
        self.fraction = fraction
        self.first = Rows(first)
        self.second = Rows(second)
    }

    /// The place of a dragged line, scaled to the current room.
    private func draggedPlace(_ memory: ViewMemory, in room: Int) -> Int? {
        guard let mark = memory.mark, let former = memory.markRoom, former > 0 else { return memory.mark }
        return (mark * room + former / 2) / former
    }

    /// Draws both views and the line.
    func paint(on surface: inout Surface<Event>) {
        let total = surface.size[axis]
        let room = max(0, total - 1)
        let place = max(0, min(room, draggedPlace(surface.memory, in: room) ?? Cells.floor(Double(room) * fraction)))
        let size = surface.size
        let axis = axis
        func part(_ range: Range<Int>) -> Rect {
            axis == .horizontal
                ? Rect(column: range.lowerBound, row: 0, columns: range.count, rows: size.rows)
                : Rect(column: 0, row: range.lowerBound, columns: size.columns, rows: range.count)
        }
        // The line handles the mouse outside of both views.
        surface.onInput(.none) { input, memory in
            guard case .mouse(let mouse) = input else { return nil }
            let along = axis == .horizontal ? mouse.point.column : mouse.point.row
            switch mouse.action {
            case .press(1): return along == place ? [] : nil
            case .move(1):
                memory.mark = max(0, min(room, along))
                memory.markRoom = room
                return []
            default: return nil
            }
        }
        surface.add(first, in: part(0..<place))
        if total > 0 { surface.fill(part(place..<place + 1), with: axis == .horizontal ? "│" : "─", style: .dim) }
        surface.add(second, in: part(min(total, place + 1)..<total))
    }
}
