/// A line of text that the user edits.
///
/// ```swift
/// Field(state.draft, prompt: "note", edit: Event.edit, submit: .add)
/// ```
/// Its state is a ``TextInput``, its events are ``TextEdit``s, which ``TextInput/apply(_:)`` folds into the state. Tab accepts
/// the completion that is shown. Pasted text becomes one line.
public struct Field<Event: Sendable>: Widget {
    private let input: TextInput
    private let prompt: String
    private let placeholder: String
    private let completions: [String]
    private let usesHistory: Bool
    private let isSecret: Bool
    private let style: Style
    private let edit: @Sendable (TextEdit) -> Event
    private let submit: Event?

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - input: The text.
    ///   - prompt: The prompt before the text.
    ///   - placeholder: The text that is shown while the field is empty.
    ///   - completions: Possible completions. The first one that begins with the text is shown.
    ///   - history: True if Up and Down move through the history. Otherwise other views receive them, such as a list.
    ///   - isSecret: True to show a dot in place of each character.
    ///   - style: The style of the text.
    ///   - edit: Returns the event of a command.
    ///   - submit: The event of Enter; nil to ignore Enter.
    public init(
        _ input: TextInput, prompt: String = "", placeholder: String = "", completions: [String] = [], history: Bool = false,
        isSecret: Bool = false, style: Style = .plain, edit: @escaping @Sendable (TextEdit) -> Event, submit: Event? = nil
    ) {
        self.input = input
        self.prompt = prompt.isEmpty ? "" : prompt + " "
        self.placeholder = placeholder
        // A completion that cannot be shown cannot be accepted either.
        self.completions = isSecret ? [] : completions
        usesHistory = history
        self.isSecret = isSecret
        self.style = style
        self.edit = edit
        self.submit = submit
    }

    /// One row.
    func preferredSize(in room: Size) -> NaturalSize { NaturalSize(rows: 1) }

    /// Draws the prompt, and the part of the text around the cursor.
    func paint(on surface: inout Surface<Event>) {
        let line = FieldLine(input, isSecret: isSecret)
        let start = surface.write(prompt, style: surface.isFocused ? .bold : .plain)
        let width = max(0, surface.size.columns - prompt.columns)
        let scrolled = line.scrolled(from: surface.memory.offset.column, width: width)
        surface.keep(offset: Point(column: scrolled, row: 0))
        let part = surface.part(Rect(column: start, row: 0, columns: width, rows: 1))
        if input.isEmpty {
            part.write(placeholder, style: .dim)
        } else {
            let end = part.write(line.text, at: Point(column: -scrolled, row: 0), style: style) - scrolled
            if surface.isFocused, let rest = input.completion(of: completions)?.rest {
                part.write(rest, at: Point(column: end, row: 0), style: .dim)
            }
            let selected = line.columns(of: input.selection)
            if !selected.isEmpty {
                part.restyle(Rect(column: selected.lowerBound - scrolled, row: 0, columns: selected.count, rows: 1)) {
                    $0.attributes.insert(.inverse)
                }
            }
        }
        part.showCursor(at: Point(column: line.cursor - scrolled, row: 0))
        let field = self
        surface.onInput(.text) { input, memory in
            field.events(of: input, line, mouseOffset: memory.offset.column - start)
        }
    }

    private func events(of input: InputEvent, _ line: FieldLine, mouseOffset: Int) -> [Event]? {
        switch input {
        case .key(.enter): return submit.map { [$0] }
        case .key(.up) where usesHistory: return [edit(.earlier)]
        case .key(.down) where usesHistory: return [edit(.later)]
        case .key(.tab): return self.input.completion(of: completions) == nil ? nil : [edit(.complete(completions))]
        case .key(let key): return TextEdit(key).map { [edit($0)] }
        case .paste(let text): return [edit(.insert(Self.line(text)))]
        case .mouse(let mouse):
            let place = line.offset(of: mouse.point.column + mouseOffset)
            return TextEdit(mouse, at: place).map { [edit($0)] }
        default: return nil
        }
    }

    /// The text with line breaks replaced by blanks.
    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}

/// The visible text of a field.
private struct FieldLine: Sendable {
    let text: String
    private let input: String
    private let isSecret: Bool
    /// The column of the cursor.
    let cursor: Int
    private let columns: Int

    init(_ input: TextInput, isSecret: Bool) {
        self.isSecret = isSecret
        self.input = input.text
        text = isSecret ? String(repeating: "•", count: input.text.count) : input.text
        let before = input.text.utf8Prefix(input.cursor)
        cursor = isSecret ? before.count : before.columns
        columns = input.cursor == input.text.utf8.count ? cursor : isSecret ? text.count : text.columns
    }

    /// The scroll position at which the cursor is visible and no room is wasted.
    func scrolled(from offset: Int, width: Int) -> Int {
        let most = max(0, columns - width + 1)
        return min(most, max(min(offset, cursor), cursor - width + 1))
    }

    func columns(of range: Range<Int>) -> Range<Int> {
        range.isEmpty ? 0..<0 : column(of: range.lowerBound)..<column(of: range.upperBound)
    }

    /// The column of a place. It depends on the text before it, which may have tabs.
    private func column(of place: Int) -> Int {
        let before = input.utf8Prefix(place)
        return isSecret ? before.count : before.columns
    }

    /// The place of the character at a column.
    func offset(of column: Int) -> Int {
        guard isSecret else { return TextRows.offset(of: column, in: input[...]) }
        return input.prefix(max(0, column)).utf8.count
    }
}
