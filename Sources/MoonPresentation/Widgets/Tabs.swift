/// Tabs, one of which is selected.
///
/// ```swift
/// Tabs(["Inbox", "Sent"], selected: state.tab, select: Event.tab)
/// ```
/// Its state is the index of the selected title, its events are ``ListMove``s. The titles scroll if they do not fit.
public struct Tabs<Event: Sendable>: Widget {
    private let titles: [String]
    private let selected: Int
    private let select: @Sendable (ListMove) -> Event

    /// Creates tabs.
    ///
    /// - Parameters:
    ///   - titles: The titles.
    ///   - selected: The index of the selected title.
    ///   - select: Returns the event of a move.
    public init(_ titles: [String], selected: Int, select: @escaping @Sendable (ListMove) -> Event) {
        self.titles = titles
        self.selected = selected
        self.select = select
    }

    /// All titles, in one row.
    func preferredSize(in room: Size) -> NaturalSize { NaturalSize(columns: places.last?.upperBound ?? 0, rows: 1) }

    /// Draws the titles, scrolled to the selected one.
    func paint(on surface: inout Surface<Event>) {
        let places = places
        var offset = surface.memory.offset.column
        if places.indices.contains(selected) {
            let place = places[selected]
            offset = max(min(offset, place.lowerBound), min(place.upperBound - surface.size.columns, place.lowerBound))
        }
        offset = max(0, min(offset, (places.last?.upperBound ?? 0) - surface.size.columns))
        surface.keep(offset: Point(column: offset, row: 0))
        for (index, place) in places.enumerated() {
            let style: Style = index != selected ? .plain : surface.isFocused ? Style(attributes: [.bold, .inverse]) : .inverse
            surface.write(" \(titles[index]) ", at: Point(column: place.lowerBound - offset, row: 0), style: style)
            guard index > 0 else { continue }
            surface.write("│", at: Point(column: place.lowerBound - 1 - offset, row: 0), style: .dim)
        }
        let select = select
        surface.onInput { input, memory in
            switch input {
            case .key(.left): return [select(.by(-1))]
            case .key(.right): return [select(.by(1))]
            case .key(.home): return [select(.first)]
            case .key(.end): return [select(.last)]
            case .mouse(let mouse):
                let column = mouse.point.column + memory.offset.column
                guard case .press(1) = mouse.action, let index = places.firstIndex(where: { $0.contains(column) }) else {
                    return nil
                }
                return [select(.to(index))]
            default: return nil
            }
        }
    }

    /// The columns of each title with a blank at both sides, and a line between them.
    private var places: [Range<Int>] {
        var start = 0
        return titles.map { title in
            let end = start + title.columns + 2
            defer { start = end + 1 }
            return start..<end
        }
    }
}
