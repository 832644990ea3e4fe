extension Pen {
    /// Writes text of any length where the cursor is. Nothing in it acts.
    mutating func write(_ text: StyledText) {
        var pool = CellPool()
        for run in text.runs {
            var cell = Cell.blank
            cell.foreground = run.style.foreground.bits
            cell.background = run.style.background.bits
            cell.attributes = run.style.attributes.rawValue
            cell.link = run.style.link.map { pool.number(ofLink: $0) } ?? 0
            setStyle(of: cell, pool: pool)
            VisibleText.scan(run.text) { part in
                bytes.append(part, of: run.text)
                return true
            }
        }
        endLink()
    }
}

extension [UInt8] {
    /// Adds a piece of a text as it is shown.
    mutating func append(_ part: VisiblePart, of text: String) {
        if part.scalar == 0x20 {
            append(contentsOf: repeatElement(0x20, count: part.columns))
        } else if part.scalar != 0 {
            append(scalar: part.scalar)
        } else {
            append(contentsOf: VisibleText.shown(text.utf8Slice(part.source), isLone: part.isLone).utf8)
        }
    }
}
