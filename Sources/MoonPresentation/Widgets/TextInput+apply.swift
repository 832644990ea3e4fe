extension TextInput {
    /// Does what a command asks for. What makes no sense at that time does nothing.
    public mutating func apply(_ edit: TextEdit) {
        switch edit {
        case .insert(let inserted): replace(selection, with: inserted, Self.kind(of: inserted))
        case .delete(let move): _ = remove(move)
        case .kill(let move):
            let removed = remove(move)
            if !removed.isEmpty { killed = removed }
        case .yank: replace(selection, with: killed, .other)
        case .move(let move, let isSelecting): self.move(move, isSelecting)
        case .selectAll:
            anchor = text.isEmpty ? nil : 0
            cursor = text.utf8.count
        case .undo: restore { changes, now in changes.undo(now) }
        case .redo: restore { changes, now in changes.redo(now) }
        case .earlier: show(history.earlier(than: text))
        case .later: show(history.later())
        case .complete(let candidates):
            if let whole = completion(of: candidates)?.text { replace(with: whole) }
        }
    }

    // MARK: - Changes

    /// Replaces a part of the text. The cursor stands behind what is new.
    mutating func replace(_ range: Range<Int>, with replacement: String, _ kind: TextChanges.Kind) {
        let replacement = Self.normalized(replacement)
        guard !(range.isEmpty && replacement.isEmpty) else { return }
        changes.note(TextChanges.Moment(text: text, cursor: cursor), range.isEmpty || kind == .erasing ? kind : .other)
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        let end = text.utf8.index(start, offsetBy: range.count)
        text.replaceSubrange(start..<end, with: replacement)
        anchor = nil
        column = nil
        // What is new may have become a part of the character behind it, such as an accent.
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

    private mutating func restore(_ step: (inout TextChanges, TextChanges.Moment) -> TextChanges.Moment?) {
        guard let moment = step(&changes, TextChanges.Moment(text: text, cursor: cursor)) else { return }
        (text, cursor, anchor, column) = (moment.text, moment.cursor, nil, nil)
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
        // An arrow without Shift leads out of a selection, to the end to which it points.
        switch move {
        case .left where !isSelecting && !selection.isEmpty: cursor = selection.lowerBound
        case .right where !isSelecting && !selection.isEmpty: cursor = selection.upperBound
        default: cursor = destination(of: move)
        }
        column = goal
        if !isSelecting || anchor == cursor { anchor = nil }
    }

    /// Where a move leads from the cursor.
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
