/// Text that is being edited, with its cursor, selection and history: the state of a ``Field`` or a ``TextArea``.
///
/// ```swift
/// case .edit(let edit): state.draft.apply(edit)
/// case .add: state.notes.append(state.draft.submit())
/// ```
/// Characters are what users see as such: an accent or a family of emoji is removed as a whole.
public struct TextInput: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text.
    public internal(set) var text: String
    /// The place of the cursor: before the character that begins at this byte of UTF-8.
    public internal(set) var cursor: Int
    /// The other end of the selection; nil if nothing is selected.
    var anchor: Int?
    /// What was killed last.
    var killed = ""
    /// The column to which the cursor returns when it moves through rows that are shorter.
    var column: Int?
    var changes = TextChanges()
    var history: TextHistory

    /// Creates a text with the cursor behind it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - history: Texts that were written before, the last one last.
    public init(_ text: String = "", history: [String] = []) {
        self.text = Self.normalized(text)
        cursor = self.text.utf8.count
        self.history = TextHistory(entries: history)
    }

    /// Creates a text with the cursor behind it.
    public init(stringLiteral value: String) { self.init(value) }

    /// Indicates whether there is no text.
    public var isEmpty: Bool { text.isEmpty }

    /// The selection, in bytes of UTF-8; an empty range at the cursor if nothing is selected.
    public var selection: Range<Int> {
        guard let anchor else { return cursor..<cursor }
        return min(anchor, cursor)..<max(anchor, cursor)
    }

    /// The text that is selected.
    public var selectedText: String { String(text.utf8Slice(selection)) }

    /// Replaces the text. The history and what was killed are kept; the change can be taken back.
    public mutating func replace(with text: String) {
        replace(0..<self.text.utf8.count, with: text, .other)
    }

    /// Ends the text: it becomes the last one of the history, and another one begins.
    ///
    /// - Returns: The text.
    public mutating func submit() -> String {
        let submitted = text
        history.add(submitted)
        let (killed, history) = (killed, history)
        self = TextInput()
        self.killed = killed
        self.history = history
        return submitted
    }

    /// The first of some texts that begins with this one and is longer, if the cursor stands at the end of this one.
    ///
    /// Texts are compared by characters: one that is composed in another form of Unicode begins with this one, too, although it does
    /// so with other bytes.
    func completion(of candidates: [String]) -> Completion? {
        guard !text.isEmpty, cursor == text.utf8.count, anchor == nil else { return nil }
        for candidate in candidates {
            if let rest = candidate.rest(behind: text), !rest.isEmpty { return Completion(text: candidate, rest: rest) }
        }
        return nil
    }

    /// A text that another one may be completed to.
    struct Completion {
        /// The whole text.
        let text: String
        /// The part of it that is missing in the other one.
        let rest: Substring
    }

    static func normalized(_ text: String) -> String {
        guard text.utf8.contains(0x0D) else { return text }
        var normalized = ""
        for character in text { normalized.append(character == "\r\n" || character == "\r" ? "\n" : character) }
        return normalized
    }
}

extension TextInput {
    /// Indicates whether two texts are the same, byte for byte, with the same cursor, selection and history. Places in a text are counted
    /// in bytes, so that they mean something else in the same characters of another Unicode form.
    public static func == (one: TextInput, other: TextInput) -> Bool {
        one.cursor == other.cursor && one.anchor == other.anchor && one.column == other.column
            && one.text.isSame(as: other.text) && one.killed.isSame(as: other.killed) && one.changes == other.changes
            && one.history == other.history
    }
}

/// Texts that were written before, and the one of them that is shown.
struct TextHistory: Hashable, Sendable {
    private(set) var entries: [String]
    /// The entry that is shown; nil for what is being written.
    private var place: Int?
    /// What was being written before an entry was shown.
    private var draft = ""

    init(entries: [String]) { self.entries = entries }

    /// Adds an entry, unless it is empty or the same as the last one.
    mutating func add(_ text: String) {
        (place, draft) = (nil, "")
        if !text.isEmpty, text != entries.last { entries.append(text) }
        if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    }

    mutating func earlier(than text: String) -> String? {
        let next = (place ?? entries.count) - 1
        guard entries.indices.contains(next) else { return nil }
        if place == nil { draft = text }
        place = next
        return entries[next]
    }

    mutating func later() -> String? {
        guard let current = place else { return nil }
        if current + 1 < entries.count {
            place = current + 1
            return entries[current + 1]
        }
        place = nil
        return draft
    }

    private static let limit = 1_000
}

/// Texts to which changes can be taken back. What is typed in one go is one change.
struct TextChanges: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case typing
        case erasing
        case other
    }

    struct Moment: Hashable, Sendable {
        var text: String
        var cursor: Int

        static func == (one: Moment, other: Moment) -> Bool { one.cursor == other.cursor && one.text.isSame(as: other.text) }
    }

    private var undone: [Moment] = []
    private var done: [Moment] = []
    private var last: Kind?

    mutating func note(_ moment: Moment, _ kind: Kind) {
        undone.removeAll()
        if kind == .other || kind != last { done.append(moment) }
        if done.count > 100 { done.removeFirst() }
        last = kind
    }

    /// Ends what is one change.
    mutating func interrupt() { last = nil }

    mutating func undo(_ now: Moment) -> Moment? {
        last = nil
        guard let moment = done.popLast() else { return nil }
        undone.append(now)
        return moment
    }

    mutating func redo(_ now: Moment) -> Moment? {
        last = nil
        guard let moment = undone.popLast() else { return nil }
        done.append(now)
        return moment
    }
}
