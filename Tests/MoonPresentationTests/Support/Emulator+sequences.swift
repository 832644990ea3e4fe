@testable import MoonPresentation

extension Emulator {
    mutating func sequence(_ prefix: String, _ numbers: [Int], _ final: Unicode.Scalar) {
        let number = max(1, numbers.first ?? 1)
        let isPrivate = prefix == "?"
        guard prefix.isEmpty || isPrivate && (final == "h" || final == "l") else {
            return unknown.append("CSI \(prefix)\(numbers)\(final)")
        }
        switch final {
        case "h" where isPrivate: for mode in numbers { setMode(mode, true) }
        case "l" where isPrivate: for mode in numbers { setMode(mode, false) }
        case "A": move(row - number, column)
        case "B": move(row + number, column)
        case "C": move(row, column + number)
        case "D": move(row, column - number)
        case "G": move(row, number - 1)
        case "H": move(number - 1, (numbers.count > 1 ? max(1, numbers[1]) : 1) - 1)
        case "J" where numbers.first ?? 0 == 0:
            erase(row, column..<size.columns)
            for below in (row + 1)..<max(row + 1, size.rows) { erase(below, 0..<size.columns) }
        case "K" where numbers.first ?? 0 == 0: erase(row, column..<size.columns)
        case "X": erase(row, column..<min(size.columns, column + number))
        case "S": scroll(number)
        case "T": scroll(-number)
        case "r":
            let bottom = numbers.count > 1 && numbers[1] > 0 ? numbers[1] : size.rows
            margins = (number - 1)...max(number - 1, min(bottom, size.rows) - 1)
            move(0, 0)
        case "m": setStyle(numbers.isEmpty ? [0] : numbers)
        default: unknown.append("CSI \(numbers)\(final)")
        }
    }

    private mutating func move(_ row: Int, _ column: Int) {
        self.row = max(0, min(row, size.rows - 1))
        self.column = max(0, min(column, size.columns - 1))
        isWrapPending = false
    }

    /// Blanks cells, and the other halves of wide characters.
    mutating func erase(_ row: Int, _ columns: Range<Int>) {
        isWrapPending = false
        guard !columns.isEmpty else { return }
        let blank = Cell(style: Pen(background: pen.background))
        breakWide(row, columns.lowerBound)
        breakWide(row, columns.upperBound)
        for column in columns { rows[row].cells[column] = blank }
        if columns.upperBound == size.columns { rows[row].isWrapped = false }
    }

    /// If a wide character stands on both sides of a column's left edge, blanks both halves.
    mutating func breakWide(_ row: Int, _ column: Int) {
        guard column > 0, column < size.columns, rows[row].cells[column].isContinuation else { return }
        for half in [column - 1, column] {
            rows[row].cells[half].text = " "
            rows[row].cells[half].isContinuation = false
        }
    }

    private mutating func setMode(_ mode: Int, _ isOn: Bool) {
        if isOn { modes.insert(mode) } else { modes.remove(mode) }
        switch mode {
        case 7, 25, 2026, 2027: break
        case 1049:
            if isOn, main == nil {
                main = (rows, row, column)
                rows = Array(repeating: blank, count: size.rows)
            } else if !isOn, let main {
                (rows, row, column) = main
                self.main = nil
            }
        default: unknown.append("mode \(mode)")
        }
    }

    private mutating func setStyle(_ numbers: [Int]) {
        var rest = numbers[...]
        while let number = rest.popFirst() {
            switch number {
            case 0: pen = Pen(link: pen.link)
            case 1, 2, 3, 4, 7, 9: pen.attributes.insert(number)
            case 22: pen.attributes.subtract([1, 2])
            case 23, 24, 27, 29: pen.attributes.remove(number - 20)
            case 30...37, 90...97: pen.foreground = [number]
            case 40...47, 100...107: pen.background = [number - 10]
            case 39: pen.foreground = []
            case 49: pen.background = []
            case 38, 48:
                let count = rest.first == 2 ? 4 : 2
                let color = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
                if number == 38 { pen.foreground = color } else { pen.background = color }
            default: unknown.append("SGR \(number)")
            }
        }
    }
}
