/// A scrollable part of views that are larger than their room.
///
/// ```swift
/// Viewport(scrollBars: true) { Text(state.page) }
/// ```
/// Arrows, Home, End, Page Up, Page Down and the wheel scroll. A view that receives the focus is scrolled into sight.
public struct Viewport<Event: Sendable>: Widget {
    private let content: Rows<Event>
    private let showsScrollBars: Bool
    private let axes: [Axis]

    /// Creates a viewport.
    ///
    /// - Parameters:
    ///   - axes: The directions in which it scrolls. In others, the content has the size of the viewport.
    ///   - scrollBars: True to show scroll bars in directions in which the content is larger.
    ///   - content: The views, below one another.
    public init(
        _ axes: [Axis] = [.vertical], scrollBars: Bool = false, @ViewBuilder<Event> content: () -> [ViewBuilder<Event>.Child]
    ) {
        self.content = Rows(content)
        self.axes = axes
        showsScrollBars = scrollBars
    }

    /// Draws the visible part.
    func paint(on surface: inout Surface<Event>) {
        let plan = ScrollPlan(surface.size, axes: axes, hasBars: showsScrollBars) { content.naturalSize(in: $0) }
        let (room, size) = (plan.room, plan.content)
        var offset = surface.memory.offset
        offset = Point(
            column: max(0, min(offset.column, size.columns - room.columns)), row: max(0, min(offset.row, size.rows - room.rows)))
        surface.keep(offset: offset)
        let regions = surface.regions
        let node = surface.node
        let before = regions.all.count
        let clip = surface.visible.intersection(Rect(origin: .zero, size: room))
        surface.draw(
            content, in: Rect(origin: Point(column: -offset.column, row: -offset.row), size: size), clippedTo: clip)
        let hasFocusable = regions.all[before...].contains { $0.focusing != .none && $0.node != node }
        // It can have the focus if none of its views can. Its region is below theirs.
        surface.onInput(hasFocusable ? .none : .keys) { input, memory in plan.scroll(input, &memory) }
        if surface.takesInput { regions.all.insert(regions.all.removeLast(), at: before) }
        surface.revealFocus(behind: before, in: room)
        if showsScrollBars {
            surface.part(Rect(column: 0, row: 0, columns: surface.size.columns, rows: room.rows))
                .drawScrollBar(offset.row, of: size.rows)
            surface.drawHorizontalScrollBar(offset.column, of: size.columns, room)
        }
    }
}

/// The room and the content of a viewport, and the effect of scrolling.
struct ScrollPlan: Sendable {
    let room: Size
    let content: Size

    init(_ size: Size, axes: [Axis], hasBars: Bool, natural: (Size) -> NaturalSize) {
        /// The content's size in a room, at least that of the room.
        func content(in room: Size) -> Size {
            let measured = natural(Size(columns: axes.contains(.horizontal) ? Self.endless : room.columns, rows: room.rows))
            return Size(
                columns: axes.contains(.horizontal) ? max(room.columns, measured.columns ?? 0) : room.columns,
                rows: axes.contains(.vertical) ? max(room.rows, measured.rows ?? 0) : room.rows)
        }
        var (room, inner) = (size, content(in: size))
        if hasBars, inner.rows > room.rows {
            room = Size(columns: room.columns - 1, rows: room.rows)
            inner = content(in: room)
        }
        if hasBars, inner.columns > room.columns {
            room = Size(columns: room.columns, rows: room.rows - 1)
            inner = content(in: room)
            // This bar may hide the last row, so that the other one is needed, too.
            if inner.rows > room.rows, room.columns == size.columns {
                room = Size(columns: room.columns - 1, rows: room.rows)
                inner = content(in: room)
            }
        }
        self.room = room
        self.content = inner
    }

    /// Scrolls; nil if the input does not scroll, or everything is visible in that direction.
    func scroll<Event>(_ input: InputEvent, _ memory: inout ViewMemory) -> [Event]? {
        let (across, down) = (content.columns - room.columns, content.rows - room.rows)
        var (column, row) = (memory.offset.column, memory.offset.row)
        let page = max(1, room.rows - 1)
        switch input {
        case .key(.up) where down > 0: row -= 1
        case .key(.down) where down > 0: row += 1
        case .key(.pageUp) where down > 0: row -= page
        case .key(.pageDown) where down > 0: row += page
        case .key(.home) where down > 0: row = 0
        case .key(.end) where down > 0: row = down
        case .key(.left) where across > 0: column -= 1
        case .key(.right) where across > 0: column += 1
        case .mouse(let mouse):
            guard case .wheel(let right, let below) = mouse.action, right != 0 && across > 0 || below != 0 && down > 0 else {
                return nil
            }
            column += 3 * right
            row += 3 * below
        default: return nil
        }
        memory.offset = Point(column: max(0, min(across, column)), row: max(0, min(down, row)))
        return []
    }

    /// A width larger than any line.
    private static let endless = 1_000_000
}
