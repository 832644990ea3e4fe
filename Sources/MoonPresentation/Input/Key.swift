/// A key that was pressed, with the modifiers that were held.
///
/// ```swift
/// [Key](["q", .control("d"), .escape, .shift(.tab), .function(5)])
/// ```
public struct Key: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    /// The key without its modifiers.
    package var code: Code
    /// The modifiers that were held. Shift is not among them if it only changed which character was typed.
    package var modifiers: Modifiers

    /// Creates a key.
    package init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// Creates the key that types a character.
    public init(extendedGraphemeClusterLiteral character: Character) { self.init(.character(character)) }

    /// A key without modifiers.
    package enum Code: Hashable, Sendable {
        /// A key that types a character, with that character.
        case character(Character)
        /// The Enter key.
        case enter
        /// The Escape key.
        case escape
        /// The Tab key.
        case tab
        /// The Backspace key.
        case backspace
        /// The Delete key.
        case delete
        /// The Insert key.
        case insert
        /// The up arrow key.
        case up
        /// The down arrow key.
        case down
        /// The left arrow key.
        case left
        /// The right arrow key.
        case right
        /// The Home key.
        case home
        /// The End key.
        case end
        /// The Page Up key.
        case pageUp
        /// The Page Down key.
        case pageDown
        /// A function key, from 1 to 24.
        case function(Int)
    }

    /// Modifier keys, with the bits that terminals use.
    package struct Modifiers: OptionSet, Hashable, Sendable {
        /// The modifiers as bits, as terminals number them.
        package let rawValue: UInt8
        /// Creates modifiers from bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Shift.
        package static let shift = Modifiers(rawValue: 1)
        /// Alt, or Option.
        package static let alt = Modifiers(rawValue: 2)
        /// Control.
        package static let control = Modifiers(rawValue: 4)
        /// Super: the key with a logo, or Command.
        package static let command = Modifiers(rawValue: 8)
        /// Hyper.
        package static let hyper = Modifiers(rawValue: 16)
        /// Meta, if it is not Alt.
        package static let meta = Modifiers(rawValue: 32)
    }

    /// The key that types a character.
    public static func character(_ character: Character) -> Key { Key(.character(character)) }
    /// A function key, from 1 to 24.
    public static func function(_ number: Int) -> Key { Key(.function(number)) }
    /// A key with Shift, such as `.shift(.tab)`.
    public static func shift(_ key: Key) -> Key { Key(key.code, key.modifiers.union(.shift)) }
    /// A key with Control, such as `.control("d")` or `.control(.left)`. Letters are lowercased.
    public static func control(_ key: Key) -> Key {
        guard case .character(let character) = key.code, let small = character.lowercased().first else {
            return Key(key.code, key.modifiers.union(.control))
        }
        return Key(.character(small), key.modifiers.union(.control))
    }
    /// A key with Alt, such as `.alt("x")` or `.alt(.enter)`.
    public static func alt(_ key: Key) -> Key { Key(key.code, key.modifiers.union(.alt)) }

    /// The character that the key types; nil for a key with a modifier other than Shift, and for one that types none.
    public var character: Character? {
        guard case .character(let character) = code, modifiers.isSubset(of: .shift) else { return nil }
        return character
    }

    /// Enter or Return.
    public static let enter = Key(.enter)
    /// Escape.
    public static let escape = Key(.escape)
    /// The tab key.
    public static let tab = Key(.tab)
    /// Backspace, which deletes the character before the cursor.
    public static let backspace = Key(.backspace)
    /// Delete, which deletes the character after the cursor.
    public static let delete = Key(.delete)
    /// Insert.
    public static let insert = Key(.insert)
    /// The arrow that points up.
    public static let up = Key(.up)
    /// The arrow that points down.
    public static let down = Key(.down)
    /// The arrow that points left.
    public static let left = Key(.left)
    /// The arrow that points right.
    public static let right = Key(.right)
    /// Home.
    public static let home = Key(.home)
    /// End.
    public static let end = Key(.end)
    /// Page up.
    public static let pageUp = Key(.pageUp)
    /// Page down.
    public static let pageDown = Key(.pageDown)
}

extension Key: CustomStringConvertible {
    package var name: String {
        var name = ""
        if modifiers.contains(.control) { name += "Ctrl-" }
        if modifiers.contains(.alt) { name += "Alt-" }
        if modifiers.contains(.command) { name += "Super-" }
        if modifiers.contains(.hyper) { name += "Hyper-" }
        if modifiers.contains(.meta) { name += "Meta-" }
        if modifiers.contains(.shift) { name += "Shift-" }
        guard case .character(let character) = code else { return name + code.name }
        if character == " " { return name + "Space" }
        return name + (modifiers.contains(.control) ? character.uppercased() : String(character))
    }

    /// The key's name as people write it: `Ctrl-D`, `Shift-Tab`, `F5`, `Page Up`, `x`.
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
        }
    }
}
