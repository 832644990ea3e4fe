/// The view state of a program between its frames: the focus and the scroll positions.
///
/// Makes frames from views and events from input, without a terminal. A value, so that a plan can fork it.
package struct Presentation<Event: Sendable> {
    /// The window's title by the last frame; nil if it has none.
    package private(set) var title: String?
    /// The constraints of the last frame that are not satisfied.
    package private(set) var issues: [LayoutIssue] = []
    /// Indicates whether the view state has changed since the last frame, so that a new frame of the same state is needed.
    package internal(set) var needsFrame = true
    /// The lines of ``Program/notes(keeping:untilChange:_:)``.
    package var notes: [String] = [] { didSet { if notes != oldValue { needsFrame = true } } }

    /// The regions of the last frame, in drawing order.
    private(set) var regions: [Region<Event>] = []
    var identities = Identities()
    /// The open dialogs, the uppermost last. The root is the first.
    private(set) var scopes = [Identities.root]
    /// The view with the focus in each dialog.
    var focus: [Int: Int] = [:]
    /// The view that was drawn with the focus.
    var drawnFocus: Int?
    /// The view in which a mouse button is held.
    var pressed: Int?

    /// The last frame.
    package private(set) var canvas = Canvas(size: .zero)
    /// The frame before the last one, whose memory the next one reuses.
    private var spare = Canvas(size: .zero)
    private var layout = ScreenLayout()

    /// Creates a presentation without any frame.
    package init() {}

    /// Indicates whether the last frame has this size, and the view state has not changed since.
    func isCurrent(_ size: Size) -> Bool { !needsFrame && canvas.size == size }

    /// Makes a frame.
    ///
    /// - Parameters:
    ///   - size: The size of the terminal.
    ///   - build: Adds views to a screen.
    @discardableResult
    package mutating func frame(_ size: Size, _ build: (LayoutScreen<Event>) throws -> Void) rethrows -> Canvas {
        let screen = LayoutScreen<Event>(size: size, notes: notes, last: layout)
        try build(screen)
        layout = screen.solve(in: Rect(origin: .zero, size: size))
        drawnFocus = focus[scope]
        var isScrolled = draw(screen)
        // Drawing may have moved the focus.
        if settleFocus() { isScrolled = draw(screen) }
        if isScrolled { _ = draw(screen) }
        title = screen.title
        needsFrame = false
        return canvas
    }

    /// Draws a frame.
    ///
    /// - Returns: True if a view was scrolled meanwhile, so that the frame must be drawn again.
    private mutating func draw(_ screen: LayoutScreen<Event>) -> Bool {
        let stage = Stage(focus: drawnFocus)
        // Swapped, so that they are changed in place.
        swap(&stage.canvas, &spare)
        swap(&stage.identities, &identities)
        stage.canvas.reset(size: screen.size)
        stage.identities.begin()
        let drawn = Regions<Event>()
        drawn.all.reserveCapacity(regions.count)
        let bounds = stage.canvas.bounds
        screen.draw(on: Surface(stage: stage, regions: drawn, rect: bounds, clip: bounds), in: layout.solution.frames)
        stage.identities.end()
        swap(&stage.identities, &identities)
        spare = canvas
        canvas = stage.canvas
        regions = drawn.all
        scopes = stage.scopes
        issues = layout.solution.issues
        if let wish = stage.wish { grant(wish) }
        return stage.isScrolled
    }
}

extension Presentation {
    /// The dialog that gets input.
    var scope: Int { scopes.last ?? Identities.root }

    /// The views that can have the focus, in the order in which Tab moves it.
    var ring: [Int] {
        let scope = scope
        var ring: [Int] = []
        for region in regions where region.scope == scope && region.mayFocus && !ring.contains(region.node) {
            ring.append(region.node)
        }
        return ring
    }

    /// Moves the focus to a view that requested it, or to the first one in it that can have it.
    mutating func grant(_ wish: Int) {
        let granted = regions.first { region in
            guard region.mayFocus else { return false }
            var next: Int? = region.node
            while let node = next {
                if node == wish { return true }
                next = identities.parent(of: node)
            }
            return false
        }
        if let granted { focus[granted.scope] = granted.node }
    }

    /// Chooses a view for the focus if the current one was removed.
    ///
    /// - Returns: True if the frame was drawn with another focus.
    mutating func settleFocus() -> Bool {
        let before = drawnFocus
        let scope = scope
        // The focus of a dialog that is closed.
        if focus.keys.contains(where: { !scopes.contains($0) }) { focus = focus.filter { scopes.contains($0.key) } }
        let focused = focus[scope]
        if let focused, regions.contains(where: { $0.node == focused && $0.scope == scope && $0.mayFocus }) {
            drawnFocus = focused
        } else {
            let text = regions.first { $0.scope == scope && $0.mayFocus && $0.focusing == .text }
            drawnFocus = text?.node ?? ring.first
            focus[scope] = drawnFocus
        }
        return drawnFocus != before
    }

    /// Moves the focus to the next or previous view.
    ///
    /// - Returns: False if there is no other view.
    mutating func moveFocus(_ step: Int) -> Bool {
        let ring = ring
        guard ring.count > 1 else { return false }
        let place = focus[scope].flatMap(ring.firstIndex) ?? 0
        setFocus(ring[(place + step + ring.count) % ring.count])
        return true
    }

    mutating func setFocus(_ node: Int) {
        guard focus[scope] != node else { return }
        focus[scope] = node
        needsFrame = true
    }
}

extension Presentation {
    /// Handles input by the views and the program's keys, in the order that <doc:Keys> explains.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - keys: The outcomes of the program's keys.
    /// - Returns: The outcome; nil if nothing handles the input. ``needsFrame`` is set if the view state has changed.
    package mutating func outcome(of input: InputEvent, keys: (Key) -> InputOutcome<Event>?) -> InputOutcome<Event>? {
        switch input {
        case .key(let key): return outcome(of: key, keys)
        case .paste: return focus[scope].flatMap { offer(input, to: $0) }.map { .events($0) }
        case .mouse(let mouse): return take(mouse).map { .events($0) }
        case .focus, .resize: return nil
        }
    }

    // MARK: - Keys

    private mutating func outcome(of key: Key, _ keys: (Key) -> InputOutcome<Event>?) -> InputOutcome<Event>? {
        let isCommand = key.isCommand && !(key == .escape && scope != Identities.root)
        if isCommand, let outcome = keys(key) { return outcome }
        // A dialog gets keys also if none of its views can have the focus.
        let focused = focus[scope] ?? scope
        var next: Int? = focused
        while let node = next, node != Identities.root {
            if let events = offer(.key(key), to: node) { return .events(events) }
            next = identities.parent(of: node)
        }
        if !isCommand, let outcome = keys(key) { return outcome }
        if key == .tab, moveFocus(1) { return .events([]) }
        if key == .shift(.tab), moveFocus(-1) { return .events([]) }
        let scope = scope
        for region in regions where region.scope == scope && region.focusing != .text && !contains(region.node, focused) {
            if let events = ask(region, .key(key)) { return .events(events) }
        }
        return nil
    }

    /// Indicates whether a view has or contains the focus, and so has received the key already.
    private func contains(_ node: Int, _ focused: Int) -> Bool {
        var next: Int? = focused
        while let inner = next, inner != Identities.root {
            if inner == node { return true }
            next = identities.parent(of: inner)
        }
        return false
    }

    // MARK: - The mouse

    /// - Returns: The events; nil if no view handles the mouse.
    private mutating func take(_ mouse: Mouse) -> [Event]? {
        switch mouse.action {
        case .press:
            pressed = nil
            guard let start = node(at: mouse.point) else { return nil }
            var next: Int? = start
            var isFocusSet = false
            while let node = next, node != Identities.root {
                if !isFocusSet, ring.contains(node) {
                    setFocus(node)
                    isFocusSet = true
                }
                if let events = offer(.mouse(mouse), to: node) {
                    pressed = node
                    return events
                }
                next = identities.parent(of: node)
            }
            return nil
        case .wheel, .move(0):
            var next = node(at: mouse.point)
            while let node = next, node != Identities.root {
                if let events = offer(.mouse(mouse), to: node) { return events }
                next = identities.parent(of: node)
            }
            return nil
        case .release, .move:
            defer { if case .release = mouse.action { pressed = nil } }
            return pressed.flatMap { offer(.mouse(mouse), to: $0) }
        }
    }

    /// The uppermost view at a place that takes input.
    private func node(at point: Point) -> Int? {
        let scope = scope
        return regions.last { $0.scope == scope && $0.visible.contains(point) }?.node
    }

    // MARK: - Offers

    /// Offers input to the regions of a view, the uppermost first.
    private mutating func offer(_ input: InputEvent, to node: Int) -> [Event]? {
        let scope = scope
        for region in regions.reversed() where region.node == node && region.scope == scope {
            if let events = ask(region, input) { return events }
        }
        return nil
    }

    private mutating func ask(_ region: Region<Event>, _ input: InputEvent) -> [Event]? {
        var input = input
        if case .mouse(var mouse) = input {
            mouse.point = Point(
                column: mouse.point.column - region.rect.origin.column, row: mouse.point.row - region.rect.origin.row)
            input = .mouse(mouse)
        }
        let before = identities[region.node]
        var memory = before
        let events = region.handler(input, &memory)
        if memory != before {
            identities[region.node] = memory
            needsFrame = true
        }
        return events
    }
}

/// The outcome of input.
package enum InputOutcome<Event> {
    /// Events are sent, maybe none.
    case events([Event])
    /// The program ends.
    case quit
    /// The program is suspended.
    case suspend

    package init(_ action: KeyTable<Event>.Action) {
        switch action {
        case .send(let event): self = .events([event])
        case .quit: self = .quit
        }
    }
}

extension Key {
    /// Indicates whether the program's tables receive the key before the views.
    var isCommand: Bool {
        if !modifiers.isSubset(of: .shift) { return true }
        switch code {
        case .function, .escape: return true
        default: return false
        }
    }
}
