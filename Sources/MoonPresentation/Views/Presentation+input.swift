extension Presentation {
    /// Takes input, and tells the events of the views that it reaches.
    ///
    /// Keys go to the first of these that wants them:
    ///
    /// 1. Keys with Control, Alt or Command, function keys and Escape: the program's keys. So a program's own commands hold everywhere.
    /// 2. The view that has the focus, and then those that contain it, from the inside out. So letters can be typed into a field,
    ///    whatever they mean elsewhere.
    /// 3. The program's keys.
    /// 4. Tab and Shift-Tab move the focus.
    /// 5. The other views, in the order in which they were drawn, but for those that take text. So arrows move a list while a field has
    ///    the focus.
    ///
    /// Pasted text goes to the view that has the focus. The mouse goes to the uppermost view under it, and then to those that contain
    /// it; a click also moves the focus there. While a dialog is open, only its views take part.
    ///
    /// While a dialog is open, it is asked for Escape before the program is.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - table: The program's keys at that moment.
    /// - Returns: What to do, in order. ``needsFrame`` tells whether what lies between the frames has changed.
    public mutating func take(_ input: Input, keys table: KeyTable<Event>) -> [KeyTable<Event>.Action] {
        if case .key(let key) = input { return take(key, table) }
        return take(input).map { .send($0) }
    }

    /// Takes input, and tells the events of the views that it reaches, for a program without keys of its own.
    ///
    /// - Returns: The events, in order. ``needsFrame`` tells whether what lies between the frames has changed.
    public mutating func take(_ input: Input) -> [Event] {
        switch input {
        case .key(let key):
            return take(key, KeyTable()).compactMap { if case .send(let event) = $0 { event } else { nil } }
        case .paste:
            guard let focused = focus[scope] else { return [] }
            return offer(input, to: focused) ?? []
        case .mouse(let mouse): return take(mouse)
        case .focus: return []
        case .resize:
            needsFrame = true
            return []
        }
    }

    // MARK: - Keys

    private mutating func take(_ key: Key, _ table: KeyTable<Event>) -> [KeyTable<Event>.Action] {
        let isCommand = key.isCommand && !(key == .escape && scope != Identities.root)
        if isCommand, let action = table[key] { return [action] }
        let focused = focus[scope]
        var asked: [Int] = []
        var next = focused
        while let node = next, node != Identities.root {
            if let events = offer(.key(key), to: node) { return events.map { .send($0) } }
            asked.append(node)
            next = identities.parent(of: node)
        }
        if !isCommand, let action = table[key] { return [action] }
        if key == .tab, moveFocus(1) { return [] }
        if key == .shift(.tab), moveFocus(-1) { return [] }
        let scope = scope
        for region in regions where region.scope == scope && region.focusing != .text && !asked.contains(region.node) {
            if let events = ask(region, .key(key)) { return events.map { .send($0) } }
        }
        return []
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
    private mutating func offer(_ input: Input, to node: Int) -> [Event]? {
        let scope = scope
        for region in regions.reversed() where region.node == node && region.scope == scope {
            if let events = ask(region, input) { return events }
        }
        return nil
    }

    private mutating func ask(_ region: Region<Event>, _ input: Input) -> [Event]? {
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

extension Key {
    /// Whether the program's own keys come before those of views.
    var isCommand: Bool {
        if !modifiers.isDisjoint(with: [.control, .alt, .command]) { return true }
        switch code {
        case .function, .escape: return true
        default: return false
        }
    }
}
