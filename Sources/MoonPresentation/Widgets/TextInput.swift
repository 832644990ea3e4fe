/// An edited text with its cursor, selection, undo and history: the state of a ``Field`` or a ``TextArea``.
///
/// ```swift
/// case .edit(let edit): state.draft.apply(edit)
/// case .add: state.notes.append(state.draft.submit())
/// ```
/// Editing works on characters as users see them: a letter with its accents, or a family of emoji, is removed as a whole.
public struct TextInput: Hashable, Sendable {
    /// The text.
    public internal(set) var text: String
    /// The place of the cursor, in bytes of UTF-8: before the character that begins there.
    package internal(set) var cursor: Int
    /// The other end of the selection; nil if nothing is selected.
    var anchor: Int?
    /// The text that was killed last.
    var killed = ""
    /// The column that vertical moves keep through shorter rows.
    var column: Int?
    var changes = TextChanges()
    var history: TextHistory

    /// Creates a text with the cursor at its end.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - history: Earlier texts, the newest last.
    public init(_ text: String = "", history: [String] = []) {
        self.text = Self.normalized(text)
        cursor = self.text.utf8.count
        self.history = TextHistory(entries: history.map(Self.normalized))
    }

    /// Indicates whether there is no text.
    public var isEmpty: Bool { text.isEmpty }

    /// The selection, in bytes of UTF-8; an empty range at the cursor if nothing is selected.
    package var selection: Range<Int> {
        guard let anchor else { return cursor..<cursor }
        return min(anchor, cursor)..<max(anchor, cursor)
    }

    /// The selected text.
    public var selectedText: String { String(text.utf8Slice(selection)) }

    /// Replaces the text, as a change that can be undone.
    public mutating func replace(with text: String) {
        replace(0..<self.text.utf8.count, with: text, .other)
    }

    /// Submits the text: adds it to the history, and begins an empty one.
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

    /// The first candidate that begins with this text and is longer, if the cursor is at the end. Compares characters, and not
    /// bytes.
    func completion(of candidates: [String]) -> Completion? {
        guard !text.isEmpty, cursor == text.utf8.count, anchor == nil else { return nil }
        for candidate in candidates {
            if let rest = candidate.rest(behind: text), !rest.isEmpty { return Completion(text: candidate, rest: rest) }
        }
        return nil
    }

    /// A completion of a text.
    struct Completion {
        /// The whole text.
        let text: String
        /// The part that the text lacks.
        let rest: Substring
    }

    static func normalized(_ text: String) -> String {
        guard text.contains(where: { $0.isNewline && $0 != "\n" }) else { return text }
        return String(text.map { $0.isNewline ? "\n" : $0 })
    }
}

extension TextInput {
    /// Compares the texts byte for byte, with their cursor, selection, undo and history. Places are counted in bytes, so that
    /// they differ between Unicode forms of the same characters.
    public static func == (one: TextInput, other: TextInput) -> Bool {
        one.cursor == other.cursor && one.anchor == other.anchor && one.column == other.column
            && one.text.isSame(as: other.text) && one.killed.isSame(as: other.killed) && one.changes == other.changes
            && one.history == other.history
    }
}

/// The history of texts, and the entry that is shown.
struct TextHistory: Hashable, Sendable {
    private(set) var entries: [String]
    /// The entry that is shown; nil for the current text.
    private var place: Int?
    /// The current text while an entry is shown.
    private var draft = ""

    init(entries: [String]) { self.entries = entries }

    /// Adds an entry, unless it is empty or equal to the last one.
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

/// The undo history. Consecutive typing is one change.
struct TextChanges: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case typing
        case erasing
        case other
    }

    struct Version: Hashable, Sendable {
        var text: String
        var cursor: Int

        static func == (one: Version, other: Version) -> Bool { one.cursor == other.cursor && one.text.isSame(as: other.text) }
    }

    private var undone: [Version] = []
    private var done: [Version] = []
    private var last: Kind?

    mutating func note(_ version: Version, _ kind: Kind) {
        undone.removeAll()
        if kind == .other || kind != last { done.append(version) }
        if done.count > 100 { done.removeFirst() }
        last = kind
    }

    /// Ends the current change.
    mutating func interrupt() { last = nil }

    mutating func undo(_ now: Version) -> Version? {
        last = nil
        guard let version = done.popLast() else { return nil }
        undone.append(now)
        return version
    }

    mutating func redo(_ now: Version) -> Version? {
        last = nil
        guard let version = undone.popLast() else { return nil }
        done.append(now)
        return version
    }
}

extension TextInput {
    /// Applies a command. An impossible one has no effect.
    public mutating func apply(_ edit: TextEdit) {
        switch edit.command {
        case .insert(let inserted): replace(selection, with: inserted, Self.kind(of: inserted))
        case .delete(let move): _ = remove(move)
        case .kill(let move):
            let removed = remove(move)
            if !removed.isEmpty { killed = removed }
        case .yank: replace(selection, with: killed, .other)
        case .move(let move, let isSelecting): self.move(move, isSelecting)
        case .undo: restore { changes, now in changes.undo(now) }
        case .redo: restore { changes, now in changes.redo(now) }
        case .earlier: show(history.earlier(than: text))
        case .later: show(history.later())
        case .complete(let candidates):
            if let whole = completion(of: candidates)?.text { replace(with: whole) }
        }
    }

    // MARK: - Changes

    /// Replaces a part of the text, and moves the cursor after it.
    mutating func replace(_ range: Range<Int>, with replacement: String, _ kind: TextChanges.Kind) {
        let replacement = Self.normalized(replacement)
        guard !(range.isEmpty && replacement.isEmpty) else { return }
        changes.note(TextChanges.Version(text: text, cursor: cursor), range.isEmpty || kind == .erasing ? kind : .other)
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        let end = text.utf8.index(start, offsetBy: range.count)
        text.replaceSubrange(start..<end, with: replacement)
        anchor = nil
        column = nil
        // The new text may have combined with the next character.
        cursor = text.characterBoundary(at: range.lowerBound + replacement.utf8.count, .up)
    }

    private mutating func remove(_ move: TextMove) -> String {
        var range = selection
        if range.isEmpty {
            let other = destination(of: move)
            range = min(cursor, other)..<max(cursor, other)
        }
        let removed = String(text.utf8Slice(range))
        replace(range, with: "", range.count > 4 ? .other : .erasing)
        return removed
    }

    private static func kind(of inserted: String) -> TextChanges.Kind {
        guard inserted.count == 1, let character = inserted.first, !character.isWhitespace else { return .other }
        return .typing
    }

    private mutating func restore(_ step: (inout TextChanges, TextChanges.Version) -> TextChanges.Version?) {
        guard let version = step(&changes, TextChanges.Version(text: text, cursor: cursor)) else { return }
        (text, cursor, anchor, column) = (version.text, version.cursor, nil, nil)
    }

    private mutating func show(_ entry: String?) {
        guard let entry else { return }
        (text, cursor, anchor, column) = (entry, entry.utf8.count, nil, nil)
        changes = TextChanges()
    }

    // MARK: - Moves

    private mutating func move(_ move: TextMove, _ isSelecting: Bool) {
        changes.interrupt()
        let selection = selection
        if isSelecting { anchor = anchor ?? cursor }
        var goal: Int?
        if case .rows(_, let width) = move { goal = column ?? TextRows(text, width: width).column(of: cursor, in: text) }
        // An arrow without Shift moves from a selection to its end.
        switch move {
        case .left where !isSelecting && !selection.isEmpty: cursor = selection.lowerBound
        case .right where !isSelecting && !selection.isEmpty: cursor = selection.upperBound
        default: cursor = destination(of: move)
        }
        column = goal
        if !isSelecting || anchor == cursor { anchor = nil }
    }

    /// The destination of a move from the cursor.
    func destination(of move: TextMove) -> Int {
        switch move {
        case .left: return text.characterBoundary(at: cursor - 1, .down)
        case .right: return text.characterBoundary(at: cursor + 1, .up)
        case .wordLeft: return text.wordStart(before: cursor)
        case .wordRight: return text.wordEnd(behind: cursor)
        case .lineStart: return text.lineStart(at: cursor)
        case .lineEnd: return text.lineEnd(at: cursor)
        case .start: return 0
        case .end: return text.utf8.count
        case .rows(let count, let width):
            let rows = TextRows(text, width: width)
            let row = rows.row(of: cursor) + count
            if row < 0 { return 0 }
            if row >= rows.ranges.count { return text.utf8.count }
            return rows.offset(row: row, column: column ?? rows.column(of: cursor, in: text), in: text)
        case .to(let offset): return text.characterBoundary(at: offset, .down)
        }
    }
}

/// Character boundaries of a text, counted in bytes of UTF-8.
extension String {
    enum Rounding {
        case down
        case up
    }

    /// The nearest character boundary in a direction.
    func characterBoundary(at offset: Int, _ rounding: Rounding) -> Int {
        if offset <= 0 { return 0 }
        let count = utf8.count
        if offset >= count { return count }
        // `index(after:)` rounds down to the beginning of the character, and returns its end.
        let end = index(after: utf8.index(startIndex, offsetBy: offset))
        let start = place(index(before: end))
        return start == offset || rounding == .down ? start : place(end)
    }

    /// The beginning of the word before a place. Other characters are skipped first.
    func wordStart(before offset: Int) -> Int {
        var index = utf8.index(startIndex, offsetBy: offset)
        while index > startIndex, !self[self.index(before: index)].isPartOfWord { index = self.index(before: index) }
        while index > startIndex, self[self.index(before: index)].isPartOfWord { index = self.index(before: index) }
        return place(index)
    }

    /// The end of the word after a place. Other characters are skipped first.
    func wordEnd(behind offset: Int) -> Int {
        var index = utf8.index(startIndex, offsetBy: offset)
        while index < endIndex, !self[index].isPartOfWord { index = self.index(after: index) }
        while index < endIndex, self[index].isPartOfWord { index = self.index(after: index) }
        return place(index)
    }

    /// The beginning of the line at a place.
    func lineStart(at offset: Int) -> Int {
        let index = utf8.index(startIndex, offsetBy: offset)
        return utf8[..<index].lastIndex(of: 0x0A).map { place($0) + 1 } ?? 0
    }

    /// The end of the line at a place.
    func lineEnd(at offset: Int) -> Int {
        let index = utf8.index(startIndex, offsetBy: offset)
        return utf8[index...].firstIndex(of: 0x0A).map { place($0) } ?? utf8.count
    }

    /// The text without a prefix; nil if it does not have it. Compares characters, and not bytes.
    func rest(behind beginning: String) -> Substring? {
        var index = startIndex
        for character in beginning {
            guard index < endIndex, self[index] == character else { return nil }
            formIndex(after: &index)
        }
        return self[index...]
    }

    /// Compares bytes. Equal strings may have different Unicode forms and lengths.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    private func place(_ index: Index) -> Int { utf8.distance(from: startIndex, to: index) }
}

extension Character {
    fileprivate var isPartOfWord: Bool { isLetter || isNumber || self == "_" }
}
