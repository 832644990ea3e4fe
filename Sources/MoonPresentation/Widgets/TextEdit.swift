/// A command of a ``Field`` or a ``TextArea``, which ``TextInput/apply(_:)`` folds into the text.
///
/// A command is the user's request and does not depend on the current text, so that of two keys that are pressed at once both
/// take effect. Fields make commands of keys; a test makes ``insert(_:)``.
public struct TextEdit: Hashable, Sendable, CustomStringConvertible {
    package enum Command: Hashable, Sendable {
        case insert(String)
        case delete(TextMove)
        case kill(TextMove)
        case yank
        case move(TextMove, selecting: Bool)
        case undo
        case redo
        case earlier
        case later
        case complete([String])
    }

    package let command: Command

    private init(_ command: Command) { self.command = command }

    /// Puts text at the cursor, in place of the selection. Line breaks of all kinds become `\n`.
    public static func insert(_ text: String) -> TextEdit { TextEdit(.insert(text)) }
    /// Removes the selection, or else the characters that the cursor would move over.
    package static func delete(_ move: TextMove) -> TextEdit { TextEdit(.delete(move)) }
    /// Removes the same as ``delete(_:)``, and keeps it for ``yank``.
    package static func kill(_ move: TextMove) -> TextEdit { TextEdit(.kill(move)) }
    /// Inserts the text that was killed last.
    package static let yank = TextEdit(.yank)
    /// Moves the cursor, and with it the end of the selection if `selecting`.
    package static func move(_ move: TextMove, selecting: Bool = false) -> TextEdit {
        TextEdit(.move(move, selecting: selecting))
    }
    /// Undoes the last change.
    package static let undo = TextEdit(.undo)
    /// Repeats the change that was undone last.
    package static let redo = TextEdit(.redo)
    /// Shows the previous entry of the history.
    package static let earlier = TextEdit(.earlier)
    /// Shows the next entry of the history, and after the last one the text that was being written.
    package static let later = TextEdit(.later)
    /// Completes the text to the first of these that begins with it, if the cursor is at the end.
    package static func complete(_ texts: [String]) -> TextEdit { TextEdit(.complete(texts)) }

    /// The command as Swift code, such as `insert("a")`, for journals and recordings.
    public var description: String { "\(command)" }
}

/// A move of a cursor.
package enum TextMove: Hashable, Sendable {
    /// One character to the left.
    case left
    /// One character to the right.
    case right
    /// To the beginning of a word.
    case wordLeft
    /// To the end of a word.
    case wordRight
    /// To the beginning of the line.
    case lineStart
    /// To the end of the line.
    case lineEnd
    /// To the beginning of the text.
    case start
    /// To the end of the text.
    case end
    /// By wrapped rows of a width; up if the number is negative.
    case rows(Int, width: Int)
    /// To the character at a place, counted in bytes of UTF-8.
    case to(Int)
}

extension TextEdit {
    /// The command of a key, as in editors and shells; nil if the key has none.
    ///
    /// | keys | command |
    /// |---|---|
    /// | arrows, Home, End; Control-B, F, A, E | move |
    /// | Control or Alt with an arrow; Alt-B, F | move by a word |
    /// | the same with Shift | select |
    /// | Backspace, Delete | remove a character, or the selection |
    /// | Alt or Control with Backspace, Control-W; Alt-D | kill a word |
    /// | Control-U, Control-K | kill to the beginning, to the end of the line |
    /// | Control-Y | put the text killed last |
    /// | Control-_, Alt-_ | undo, redo |
    package init?(_ key: Key) {
        let plain = key.modifiers.subtracting(.shift)
        let isSelecting = key.modifiers.contains(.shift)
        switch (key.code, plain) {
        case (.character(let character), []): self = .insert(String(character))
        case (.character(let character), .control):
            guard let edit = Self.control[character] else { return nil }
            self = edit
        case (.character(let character), .alt):
            guard let edit = Self.alt[character] else { return nil }
            self = edit
        case (.backspace, []): self = .delete(.left)
        case (.delete, []): self = .delete(.right)
        case (.backspace, .alt), (.backspace, .control): self = .kill(.wordLeft)
        case (.delete, .alt), (.delete, .control): self = .kill(.wordRight)
        case (.left, []): self = .move(.left, selecting: isSelecting)
        case (.right, []): self = .move(.right, selecting: isSelecting)
        case (.left, .alt), (.left, .control): self = .move(.wordLeft, selecting: isSelecting)
        case (.right, .alt), (.right, .control): self = .move(.wordRight, selecting: isSelecting)
        case (.home, []): self = .move(.lineStart, selecting: isSelecting)
        case (.end, []): self = .move(.lineEnd, selecting: isSelecting)
        case (.home, .control): self = .move(.start, selecting: isSelecting)
        case (.end, .control): self = .move(.end, selecting: isSelecting)
        default: return nil
        }
    }

    /// The command of the mouse at a place of the text, counted in bytes of UTF-8: a press moves the cursor, a drag selects; nil
    /// for any other use.
    init?(_ mouse: Mouse, at place: Int) {
        switch mouse.action {
        case .press(1): self = .move(.to(place), selecting: mouse.modifiers.contains(.shift))
        case .move(1): self = .move(.to(place), selecting: true)
        default: return nil
        }
    }

    private static let control: [Character: TextEdit] = [
        "a": .move(.lineStart), "e": .move(.lineEnd), "b": .move(.left), "f": .move(.right), "d": .delete(.right),
        "h": .delete(.left), "w": .kill(.wordLeft), "u": .kill(.lineStart), "k": .kill(.lineEnd), "y": .yank, "_": .undo,
    ]
    private static let alt: [Character: TextEdit] = [
        "b": .move(.wordLeft), "f": .move(.wordRight), "d": .kill(.wordRight), "_": .redo,
    ]
}
