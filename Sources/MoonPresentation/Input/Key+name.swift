extension Key: CustomStringConvertible {
    /// The key's name as people write it: `Ctrl-D`, `Shift-Tab`, `F5`, `Page Up`, `x`.
    public var name: String {
        var name = ""
        if modifiers.contains(.control) { name += "Ctrl-" }
        if modifiers.contains(.alt) { name += "Alt-" }
        if modifiers.contains(.command) { name += "Super-" }
        if modifiers.contains(.shift) { name += "Shift-" }
        guard case .character(let character) = code else { return name + code.name }
        if character == " " { return name + "Space" }
        return name + (modifiers.contains(.control) ? character.uppercased() : String(character))
    }

    /// ``name``.
    public var description: String { name }
}

extension Key.Code {
    fileprivate var name: String {
        switch self {
        case .character(let character): String(character)
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backspace: "Backspace"
        case .delete: "Delete"
        case .insert: "Insert"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "Page Up"
        case .pageDown: "Page Down"
        case .function(let number): "F\(number)"
        case .begin: "Begin"
        case .menu: "Menu"
        case .printScreen: "Print"
        case .pause: "Pause"
        }
    }
}
