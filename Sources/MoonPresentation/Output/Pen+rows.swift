extension Pen {
    /// Rows of cells as memory.
    typealias Cells = UnsafeBufferPointer<Cell>

    /// Changes a row of the terminal from some cells to others.
    ///
    /// - Parameters:
    ///   - new: The cells to show.
    ///   - old: The cells that the terminal shows.
    ///   - blank: A blank row of the same width.
    mutating func change(row: Int, to new: Cells, from old: Cells, blank: Cells, pool: CellPool) {
        guard var first = new.indices.first(where: { !new[$0].looks(like: old[$0]) }) else { return }
        // In a row with characters of doubtful width, the terminal may show something else than what is assumed: from the first of
        // them on, the row is written anew whenever it changes.
        if !capabilities.graphemeClusters, let doubtful = Self.firstDoubtful(new, old) {
            first = min(first, doubtful, Self.firstBeforeMark(new, old))
            move(to: row, first)
            eraseRest()
            return write(row: row, new, from: first, to: Self.end(of: new), over: blank, pool: pool)
        }
        let last = new.indices.last { !new[$0].looks(like: old[$0]) } ?? first
        let end = Self.end(of: new)
        // Erasing the rest of the row takes 3 bytes.
        guard last >= end, last - max(end, first) >= 3 else {
            return write(row: row, new, from: first, to: last + 1, over: old, pool: pool)
        }
        write(row: row, new, from: first, to: end, over: old, pool: pool)
        move(to: row, max(end, first))
        eraseRest()
    }

    /// Writes those cells of a part of a row that differ.
    private mutating func write(row: Int, _ new: Cells, from first: Int, to end: Int, over old: Cells, pool: CellPool) {
        var index = first
        while index < end {
            let cell = new[index]
            if cell.glyph.isContinuation {
                index += 1
            } else if cell.looks(like: old[index]) {
                index = skip(row: row, new, from: index, to: end, over: old, pool: pool)
            } else if cell.looksBlank, let blanks = Self.manyBlanks(new, from: index, to: end) {
                move(to: row, index)
                erase(blanks)
                index += blanks
            } else {
                move(to: row, index)
                write(cell, pool: pool)
                index += cell.glyph.isWide ? 2 : 1
                // A terminal may have drawn more than was counted. The rest of the row follows anyway.
                if cell.glyph.isDoubtful, !capabilities.graphemeClusters, index < width {
                    // tmux joins the next character, wherever it stands, if it does not know the emoji behind a joiner.
                    if cell.glyph.isCluster, pool.clusters[Int(cell.glyph.value)].unicodeScalars.contains("\u{200D}") {
                        bytes.append(UInt8(ascii: " "))
                    }
                    move(to: row, index)
                    eraseRest()
                }
            }
        }
    }

    /// Goes over cells that are there already. A few are written again, as that takes fewer bytes than a move.
    private mutating func skip(row: Int, _ new: Cells, from first: Int, to end: Int, over old: Cells, pool: CellPool) -> Int {
        var next = first
        while next < end, new[next].looks(like: old[next]) || new[next].glyph.isContinuation { next += 1 }
        guard next < end, next - first <= 4, self.row == row, column == first else { return next }
        for index in first..<next {
            guard new[index].glyph.value < 0x80, !new[index].glyph.isContinuation, style.hasStyle(of: new[index]) else {
                return next
            }
        }
        for index in first..<next { write(new[index], pool: pool) }
        return next
    }

    /// The number of blanks from a cell on, if erasing them and moving on takes fewer bytes than writing them.
    private static func manyBlanks(_ cells: Cells, from first: Int, to end: Int) -> Int? {
        var next = first
        while next < end, cells[next].looksBlank { next += 1 }
        return next - first > 12 ? next - first : nil
    }

    /// The column behind the last cell that is not blank.
    static func end(of cells: Cells) -> Int { (cells.lastIndex { !$0.looksBlank } ?? -1) + 1 }

    /// Where a row begins whose last character may have left its mark on the one before: tmux does not wrap, and puts it there.
    private static func firstBeforeMark(_ new: Cells, _ old: Cells) -> Int {
        let last = new.count - 1
        guard last > 0, new[last].glyph.isDoubtful || old[last].glyph.isDoubtful else { return last }
        var first = last - 1
        while first > 0, new[first].glyph.isContinuation || old[first].glyph.isContinuation { first -= 1 }
        return first
    }

    private static func firstDoubtful(_ new: Cells, _ old: Cells) -> Int? {
        new.indices.first { new[$0].glyph.isDoubtful || old[$0].glyph.isDoubtful }
    }
}
