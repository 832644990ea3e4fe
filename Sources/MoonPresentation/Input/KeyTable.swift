/// A table from keys to events, with a help text for each line.
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
/// A table must not have a key twice: ``Program/run(on:catchingSignals:)`` and the pilots of tests throw an error.
public struct KeyTable<Event> {
    /// The effect of a key.
    package enum Action {
        /// Sends an event.
        case send(Event)
        /// Ends the program.
        case quit
    }

    /// A line of the table.
    public struct Line {
        /// The keys, each with the same effect.
        package let keys: [MoonPresentation.Key]
        /// The effect of the keys.
        package let action: Action
        /// The help text; nil if the help does not show the line.
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
        ///   - help: The help text; nil if the help does not show the line.
        public static func key(_ keys: MoonPresentation.Key..., sends event: Event, help: String? = nil) -> Line {
            Line(keys, .send(event), help: help)
        }

        /// Keys that end the program.
        ///
        /// - Parameters:
        ///   - keys: The keys.
        ///   - help: The help text; nil if the help does not show the line.
        public static func quit(_ keys: MoonPresentation.Key..., help: String? = nil) -> Line {
            Line(keys, .quit, help: help)
        }
    }

    /// The lines, in the order of the help.
    package private(set) var lines: [Line] = []
    /// The keys that are in the table more than once, in the order in which they were repeated.
    package private(set) var duplicates: [MoonPresentation.Key] = []
    private var index: [MoonPresentation.Key: Int] = [:]

    /// Creates a table.
    ///
    /// - Parameter lines: Its lines.
    package init(_ lines: [Line] = []) {
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

    /// The effect of a key; nil if it is not in the table.
    ///
    /// - Complexity: O(1).
    package subscript(key: MoonPresentation.Key) -> Action? { index[key].map { lines[$0].action } }

    /// The lines that have a help text, with the names of their keys.
    package var help: [KeyHelp] {
        lines.compactMap { line in line.help.map { KeyHelp(keys: line.keys.map(\.name), text: $0) } }
    }

    /// Maps the events of the table, for example to those of a parent.
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

/// A line of the help: the names of keys, and their effect.
package struct KeyHelp: Hashable, Sendable {
    /// The names of the keys.
    package let keys: [String]
    /// Their effect, in words.
    package let text: String

    /// Creates a line.
    package init(keys: [String], text: String) {
        self.keys = keys
        self.text = text
    }
}

extension KeyTable: ExpressibleByDictionaryLiteral {
    /// Creates a table from keys and the events that they send.
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
extension KeyTable.Action: Equatable where Event: Equatable {}
