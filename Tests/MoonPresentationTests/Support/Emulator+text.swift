@testable import MoonPresentation

extension Emulator {
    /// Writes a code point, as a character or as part of the previous one.
    mutating func put(_ scalar: Unicode.Scalar) {
        guard size.columns > 0, size.rows > 0 else { return }
        if join(scalar) { return }
        let alone = ScalarWidth(scalar.value)
        let width = counting == .codePoints && alone.isSpacingMark ? 1 : alone.columns
        // A code point without a width or a base is not shown.
        guard width > 0 else { return }
        if isWrapPending || width > size.columns - column {
            if modes.contains(7) {
                rows[row].isWrapped = true
                feedLine()
                column = 0
            } else if width > size.columns - column {
                return
            }
        }
        write(String(scalar), width)
        last = (row, column)
        advance(width)
    }

    private mutating func write(_ text: String, _ width: Int) {
        breakWide(row, column)
        breakWide(row, column + width)
        rows[row].cells[column] = Cell(text: text, style: pen)
        if width == 2 { rows[row].cells[column + 1] = Cell(text: "", style: pen, isContinuation: true) }
    }

    private mutating func advance(_ width: Int) {
        isWrapPending = column + width >= size.columns && modes.contains(7)
        column = min(column + width, size.columns - 1)
    }

    private mutating func join(_ scalar: Unicode.Scalar) -> Bool {
        guard let last else { return false }
        var text = rows[last.row].cells[last.column].text
        let before = text
        text.unicodeScalars.append(scalar)
        switch counting {
        case .clusters:
            guard text.count == 1 else { return false }
            rows[last.row].cells[last.column].text = text
            let (old, new) = (ClusterWidth(before.unicodeScalars).columns, ClusterWidth(text.unicodeScalars).columns)
            guard new > old, last.column + 1 < size.columns else { return true }
            let style = rows[last.row].cells[last.column].style
            breakWide(last.row, last.column + 2)
            rows[last.row].cells[last.column + 1] = Cell(text: "", style: style, isContinuation: true)
            column = last.column + 1
            isWrapPending = false
            advance(1)
            return true
        case .codePoints:
            guard ScalarWidth(scalar.value).columns == 0, !ScalarWidth(scalar.value).isSpacingMark else { return false }
            rows[last.row].cells[last.column].text = text
            return true
        }
    }

    /// The lines wrapped to another width, and the cursor's place in them.
    func rewrapped(_ lines: [Row], _ place: Int, to width: Int) -> (lines: [Row], place: Int, column: Int) {
        var (result, newPlace, newColumn) = ([Row](), 0, 0)
        var index = 0
        while index < lines.count {
            var end = index
            while end < lines.count - 1, lines[end].isWrapped { end += 1 }
            var cells = lines[index...end].flatMap(\.cells)
            let offset = place >= index && place <= end ? (place - index) * size.columns + column : nil
            while cells.last == Cell(), cells.count > (offset ?? 0) { cells.removeLast() }
            let start = result.count
            var line: [Cell] = []
            for (position, cell) in cells.enumerated() {
                let isWide = position + 1 < cells.count && cells[position + 1].isContinuation
                if line.count + (isWide ? 2 : 1) > width, !cell.isContinuation || width < 2 {
                    result.append(Row(cells: line, isWrapped: true))
                    line = []
                }
                if position == offset { (newPlace, newColumn) = (result.count, line.count) }
                line.append(cell)
            }
            if offset == cells.count {
                if line.count == width, !cells.isEmpty {
                    (newPlace, newColumn) = (result.count, width - 1)
                } else {
                    (newPlace, newColumn) = (result.count, line.count)
                }
            }
            if !line.isEmpty || result.count == start { result.append(Row(cells: line)) }
            index = end + 1
        }
        return (result, newPlace, newColumn)
    }
}
