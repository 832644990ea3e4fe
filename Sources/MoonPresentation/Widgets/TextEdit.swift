/// A command of a ``Field`` or a ``TextArea``, which ``TextInput/apply(_:)`` folds into the text.
///
/// A command says what is asked for, and nothing of how the text looked when it was. So two keys that are pressed at once both count.
public enum TextEdit: Hashable, Sendable {
    /// Puts text at the cursor, in place of the selection. Line breaks of all kinds become `\n`.
    case insert(String)
    /// Removes the selection, or else what the cursor would move over.
    case delete(TextMove)
    /// Removes the same, and keeps it for ``yank``.
    case kill(TextMove)
    /// Puts at the cursor what was killed last.
    case yank
    /// Moves the cursor, with the end of the selection or without.
    case move(TextMove, selecting: Bool = false)
    /// Selects all.
    case selectAll
    /// Takes the last change back.
    case undo
    /// Repeats the change that was taken back last.
    case redo
    /// Shows the entry before of the history.
    case earlier
    /// Shows the entry behind of the history, and in the end the text that was being written.
    case later
    /// Completes the text to the first of these that begins with it, if the cursor stands at the end.
    case complete([String])
}

/// A move of a cursor.
public enum TextMove: Hashable, Sendable {
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
    /// By rows as they are shown in a width; negative numbers lead up.
    case rows(Int, width: Int)
    /// To a place, counted in bytes of UTF-8, or the beginning of the character in which it lies.
    case to(Int)
}

extension TextEdit {
    /// The command of a key, as editors and shells have it; nil if the key has none.
    ///
    /// | keys | command |
    /// |---|---|
    /// | arrows, Home, End; Control-B, F, A, E | move |
    /// | Control or Alt with an arrow; Alt-B, F | move by a word |
    /// | the same with Shift | select |
    /// | Backspace, Delete | remove a character, or the selection |
    /// | Alt or Control with Backspace, Control-W; Alt-D | kill a word |
    /// | Control-U, Control-K | kill to the beginning, to the end of the line |
    /// | Control-Y | put what was killed last |
    /// | Control-_, Alt-_ | undo, redo |
    public init?(_ key: Key) {
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

    private static let control: [Character: TextEdit] = [
        "a": .move(.lineStart), "e": .move(.lineEnd), "b": .move(.left), "f": .move(.right), "d": .delete(.right),
        "h": .delete(.left), "w": .kill(.wordLeft), "u": .kill(.lineStart), "k": .kill(.lineEnd), "y": .yank, "_": .undo,
    ]
    private static let alt: [Character: TextEdit] = [
        "b": .move(.wordLeft), "f": .move(.wordRight), "d": .kill(.wordRight), "_": .redo,
    ]
}
