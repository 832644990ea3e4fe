/// A table from keys to events, with a text for each line that a help can show.
///
/// ```swift
/// let keys: KeyTable<Event> = [.control("d"): .remove, "n": .new]
///
/// let documented: KeyTable<Event> = [
///     .key("n", .insert, sends: .new, help: "new note"),
///     .key(.control("d"), .delete, sends: .remove, help: "remove"),
///     .quit("q", .escape, help: "quit"),
/// ]
/// ```
/// An event says what is asked for. What it means is decided in `transform`, with the state of that moment.
///
/// A key belongs into a table once: a program does not start with a table that has it twice.
public struct KeyTable<Event> {
    /// What a key does.
    package enum Action {
        /// It sends an event.
        case send(Event)
        /// It ends the program.
        case quit
    }

    /// A line of the table.
    public struct Line {
        /// The keys, of which each does the same.
        package let keys: [MoonPresentation.Key]
        /// What they do.
        package let action: Action
        /// What they do, in words for the user; nil if a help does not show the line.
        package let help: String?

        /// Creates a line.
        package init(_ keys: [MoonPresentation.Key], _ action: Action, help: String? = nil) {
            self.keys = keys
            self.action = action
            self.help = help
        }

        /// Keys that send an event.
        ///
        /// - Parameters:
        ///   - keys: The keys.
        ///   - event: The event.
        ///   - help: What it does, in words for the user.
        public static func key(_ keys: MoonPresentation.Key..., sends event: Event, help: String? = nil) -> Line {
            Line(keys, .send(event), help: help)
        }

        /// Keys that end the program.
        ///
        /// - Parameters:
        ///   - keys: The keys.
        ///   - help: What to call that.
        public static func quit(_ keys: MoonPresentation.Key..., help: String? = nil) -> Line {
            Line(keys, .quit, help: help)
        }
    }

    /// The lines, in the order in which a help shows them.
    package private(set) var lines: [Line] = []
    /// The keys that are in the table more than once, in the order in which they were repeated.
    package private(set) var duplicates: [MoonPresentation.Key] = []
    private var index: [MoonPresentation.Key: Int] = [:]

    /// Creates a table.
    ///
    /// - Parameter lines: Its lines.
    public init(_ lines: [Line] = []) {
        for line in lines { append(line) }
    }

    /// Adds a line.
    ///
    /// - Parameter line: The line.
    public mutating func append(_ line: Line) {
        for key in line.keys {
            if index[key] == nil { index[key] = lines.count } else { duplicates.append(key) }
        }
        lines.append(line)
    }

    /// What a key does; nil if it is not in the table.
    ///
    /// - Complexity: O(1).
    package subscript(key: MoonPresentation.Key) -> Action? { index[key].map { lines[$0].action } }

    /// Indicates whether there is no line in it.
    package var isEmpty: Bool { lines.isEmpty }

    /// The lines that have a help, each with the names of its keys and what they do.
    public var help: [KeyHelp] {
        lines.compactMap { line in line.help.map { KeyHelp(keys: line.keys.map(\.name), text: $0) } }
    }

    /// Returns the same table for a parent's events.
    ///
    /// - Parameter transform: Turns an event of this table into one of the parent.
    public func map<Parent>(_ transform: (Event) -> Parent) -> KeyTable<Parent> {
        KeyTable<Parent>(
            lines.map { line in
                let action: KeyTable<Parent>.Action =
                    switch line.action {
                    case .send(let event): .send(transform(event))
                    case .quit: .quit
                    }
                return KeyTable<Parent>.Line(line.keys, action, help: line.help)
            })
    }
}

/// A line of a help: keys by their names, and what they do.
public struct KeyHelp: Hashable, Sendable {
    /// The names of the keys.
    public let keys: [String]
    /// Their effect, in words.
    public let text: String

    /// Creates a line.
    public init(keys: [String], text: String) {
        self.keys = keys
        self.text = text
    }
}

extension KeyTable: ExpressibleByDictionaryLiteral {
    /// Creates a table from keys and what they send.
    public init(dictionaryLiteral elements: (MoonPresentation.Key, Event)...) {
        self.init(elements.map { Line([$0.0], .send($0.1)) })
    }
}

extension KeyTable: ExpressibleByArrayLiteral {
    /// Creates a table from its lines.
    public init(arrayLiteral elements: Line...) { self.init(elements) }
}

extension KeyTable: Sendable where Event: Sendable {}
extension KeyTable.Line: Sendable where Event: Sendable {}
extension KeyTable.Action: Sendable where Event: Sendable {}
extension KeyTable: Equatable where Event: Equatable {}
extension KeyTable.Line: Equatable where Event: Equatable {}
extension KeyTable.Action: Equatable where Event: Equatable {}

extension KeyTable {
    /// This table, and behind it what another one says of other keys.
    func over(_ other: KeyTable) -> KeyTable {
        var result = self
        for line in other.lines {
            let keys = line.keys.filter { self[$0] == nil }
            if !keys.isEmpty { result.append(Line(keys, line.action, help: line.help)) }
        }
        return result
    }
}
