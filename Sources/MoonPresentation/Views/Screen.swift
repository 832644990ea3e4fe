/// What a frame is made on: views are added to it, and constrained to it and to each other.
///
/// ```swift
/// { state, screen in
///     screen.title = "Notes"
///     let list = screen.add(List(state.lines, selected: state.selected, select: Event.select))
///     list.constrain(.all, to: screen)
/// }
/// ```
///
/// Views that are added later are drawn over earlier ones. A view without a constraint in a direction fills the screen in it.
/// A screen lives while its frame is made. Do not keep it.
public final class Screen<Event: Sendable>: Constrainable {
    /// The size of the screen.
    public let size: Size
    /// Lines about what the loop does that the program keeps for its view, the newest last: see ``Program/notes(keeping:untilChange:_:)``.
    public let notes: [String]
    /// The title of the terminal's window, which is changed if it is not nil.
    public var title: String?

    private struct Entry {
        let view: any View<Event>
        let place: UInt64
    }

    private var entries: [Entry] = []
    private var constraints: [Constraint] = []

    init(size: Size, notes: [String] = []) { (self.size, self.notes) = (size, notes) }

    /// The screen as a target of constraints.
    public var _anchor: Anchor { Anchor(target: .container, owner: ObjectIdentifier(self)) }

    /// Adds a view.
    ///
    /// A view is known again in the next frame by its ``View/id(_:)``, or else by the line that adds it; of those that a loop adds in one
    /// line, by their order. So views that come and go do not disturb others.
    ///
    /// - Returns: An item, to be constrained.
    @discardableResult
    public func add(_ view: some View<Event>, line: UInt = #line, column: UInt = #column) -> Item<Event> {
        entries.append(Entry(view: view, place: UInt64(line) << 16 | UInt64(column & 0xFFFF)))
        return Item(screen: self, index: entries.count - 1)
    }

    func constrain(_ constraint: Constraint) { constraints.append(constraint) }

    // MARK: - Drawing

    /// Where the views stand, with the issues of that.
    func solve(in rect: Rect) -> LayoutSolver.Solution {
        if constraints.isEmpty { return LayoutSolver.Solution(frames: entries.map { _ in rect }, issues: []) }
        return LayoutSolver(count: entries.count, constraints: constraints).solve(
            in: rect, natural: { entries[$0].view.naturalSize(in: $1) }, name: name)
    }

    /// Draws the views in their places.
    func draw(on surface: inout Surface<Event>, in frames: [Rect]) {
        // Not by `zip`: here it is not specialized, and looks for metadata at each element.
        for index in 0..<min(entries.count, frames.count) {
            surface.add(entries[index].view, in: frames[index], place: entries[index].place)
        }
    }

    /// The name of a view in issues: its id, or its type and number.
    private func name(_ index: Int) -> String {
        let view = entries[index].view
        if let id = view.traits.id { return id.description }
        return "\(String(describing: type(of: view)).prefix { $0 != "<" }) \(index)"
    }
}
