extension Presentation {
    /// Takes input, and returns the events of the views that it reaches.
    ///
    /// The page <doc:Keys> has the rule by which views and the program's keys are asked.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - table: The program's keys at that time.
    /// - Returns: What to do, in order. ``needsFrame`` tells whether what lies between the frames has changed.
    package mutating func take(_ input: InputEvent, keys table: KeyTable<Event>) -> [KeyTable<Event>.Action] {
        switch outcome(of: input, keys: { table[$0].map(InputOutcome.init) }) {
        case .events(let events): events.map { .send($0) }
        case .quit: [.quit]
        case .suspend: []
        }
    }

    /// Takes input, and returns the events of the views that it reaches, for a program without keys of its own.
    ///
    /// - Returns: The events, in order. ``needsFrame`` tells whether what lies between the frames has changed.
    package mutating func take(_ input: InputEvent) -> [Event] {
        guard case .events(let events) = outcome(of: input, keys: { _ in nil }) else { return [] }
        return events
    }

    /// Takes input. See ``take(_:keys:)``.
    ///
    /// - Parameter keys: The outcomes of the program's keys.
    mutating func outcome(of input: InputEvent, keys: (Key) -> InputOutcome<Event>?) -> InputOutcome<Event> {
        switch input {
        case .key(let key): return outcome(of: key, keys)
        case .paste: return .events(focus[scope].flatMap { offer(input, to: $0) } ?? [])
        case .mouse(let mouse): return .events(take(mouse))
        case .focus: return .events([])
        case .resize:
            needsFrame = true
            return .events([])
        }
    }

    // MARK: - Keys

    private mutating func outcome(of key: Key, _ keys: (Key) -> InputOutcome<Event>?) -> InputOutcome<Event> {
        let isCommand = key.isCommand && !(key == .escape && scope != Identities.root)
        if isCommand, let outcome = keys(key) { return outcome }
        let focused = focus[scope]
        var next = focused
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
        return .events([])
    }

    /// Indicates whether a view is the one that has the focus or contains it, and so has been asked already.
    private func contains(_ node: Int, _ focused: Int?) -> Bool {
        var next = focused
        while let inner = next, inner != Identities.root {
            if inner == node { return true }
            next = identities.parent(of: inner)
        }
        return false
    }

    // MARK: - The mouse

    private mutating func take(_ mouse: Mouse) -> [Event] {
        switch mouse.action {
        case .press:
            pressed = nil
            guard let start = node(at: mouse.point) else { return [] }
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
            return []
        case .release, .move:
            defer { if case .release = mouse.action { pressed = nil } }
            guard let pressed else { return [] }
            return offer(.mouse(mouse), to: pressed) ?? []
        case .wheelUp, .wheelDown, .wheelLeft, .wheelRight:
            var next = node(at: mouse.point)
            while let node = next, node != Identities.root {
                if let events = offer(.mouse(mouse), to: node) { return events }
                next = identities.parent(of: node)
            }
            return []
        }
    }

    /// The view that was drawn last at a place, of those that take input now.
    private func node(at point: Point) -> Int? {
        let scope = scope
        return regions.last { $0.scope == scope && $0.visible.contains(point) }?.node
    }

    // MARK: - Offers

    /// Offers input to all regions of a view, the last drawn one first.
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

    init(_ action: KeyTable<Event>.Action) {
        switch action {
        case .send(let event): self = .events([event])
        case .quit: self = .quit
        }
    }
}

extension Key {
    /// Indicates whether the program's own keys come before those of views.
    var isCommand: Bool {
        if !modifiers.isDisjoint(with: [.control, .alt, .command]) { return true }
        switch code {
        case .function, .escape: return true
        default: return false
        }
    }
}
