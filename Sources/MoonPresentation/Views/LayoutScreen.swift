/// The screen of a frame. Views are added to it, and can be constrained to it and to one another.
///
/// ```swift
/// { state, screen in
///     screen.title = "Notes"
///     let list = screen.add(List(state.lines, selected: state.selected, select: Event.select))
///     list.constrain(.all, to: screen)
/// }
/// ```
///
/// Later views are drawn over earlier ones. A view without a constraint in a direction fills the screen in it. A screen is only
/// valid while its frame is made.
public final class LayoutScreen<Event: Sendable>: LayoutTarget {
    /// The size of the screen.
    public let size: Size
    /// Lines of the journal, the newest last: see ``Program/notes(keeping:untilChange:_:)``.
    public let notes: [String]
    /// The title of the terminal's window; nil to leave it unchanged.
    public var title: String?

    private var entries: [(view: any View<Event>, place: ViewPlace)] = []
    /// The layout of the last frame.
    private let last: ScreenLayout

    init(size: Size, notes: [String] = [], last: ScreenLayout = ScreenLayout()) {
        self.size = size
        self.notes = notes
        self.last = last
        super.init(.container, ConstraintList(last: last.constraints))
        entries.reserveCapacity(last.count)
    }

    /// Adds a view.
    ///
    /// In the next frame, a view is identified by its ``View/id(_:)``, or else by the file, line and column of this call and,
    /// within a loop, by the order. Conditional views therefore do not affect others.
    ///
    /// - Returns: An item, which can be constrained.
    @discardableResult
    public func add(
        _ view: some View<Event>, fileID: String = #fileID, line: UInt = #line, column: UInt = #column
    ) -> LayoutItem {
        entries.append((view, ViewPlace(file: fileID, number: UInt64(line) << 16 | UInt64(column & 0xFFFF))))
        return LayoutItem(entries.count - 1, constraints)
    }

    // MARK: - Drawing

    /// The layout of the views: that of the last frame, if nothing has changed on which it depends.
    func solve(in rect: Rect) -> ScreenLayout {
        if constraints.isSame, entries.count == last.count, rect == last.rect, last.solution.issues.isEmpty,
            last.questions.allSatisfy({ entries[$0.item].view.naturalSize(in: $0.room) == $0.answer })
        {
            return last
        }
        let constraints = constraints.all
        var layout = ScreenLayout(constraints: constraints, count: entries.count, rect: rect)
        if constraints.isEmpty {
            layout.solution.frames = entries.map { _ in rect }
        } else {
            layout.solution = LayoutSolver(count: entries.count, constraints: constraints).solve(
                in: rect,
                natural: { item, room in
                    let answer = entries[item].view.naturalSize(in: room)
                    layout.questions.append((item, room, answer))
                    return answer
                }, name: name)
        }
        return layout
    }

    /// Draws the views in their places.
    func draw(on surface: Surface<Event>, in frames: [Rect]) {
        // Not `zip`, whose types would be looked up in each frame, as this code is not specialized.
        for index in entries.indices { surface.add(entries[index].view, in: frames[index], place: entries[index].place) }
    }

    /// The name of a view in issues: its id, or its type and number.
    private func name(_ index: Int) -> String {
        let view = entries[index].view
        if let id = view.traits.id { return id.description }
        return "\(String(describing: type(of: view)).prefix { $0 != "<" }) \(index)"
    }
}

/// The layout of a screen, with all that it depends on. The solver is deterministic: equal constraints and natural sizes give
/// equal frames.
struct ScreenLayout: Sendable {
    var constraints: [Constraint] = []
    /// The number of views.
    var count = 0
    var rect = Rect(origin: .zero, size: .zero)
    /// The natural sizes that the solver has requested.
    var questions: [(item: Int, room: Size, answer: NaturalSize)] = []
    var solution = LayoutSolver.Solution(frames: [], issues: [])
}
