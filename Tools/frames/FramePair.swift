import MoonPresentation

/// Two random frames: one that a terminal shows, and the next one.
public struct FramePair {
    /// The first frame.
    public let first: Canvas
    /// The frame that follows.
    public let second: Canvas

    /// The largest size of a frame.
    public static let largest = Size(columns: 200, rows: 60)

    /// Creates a pair, of any size from one cell to the limit.
    public init(seed: Int, limit: Size = FramePair.largest) {
        var numbers = Numbers(seed: seed)
        let size: Size =
            switch numbers.next(8) {
            case 0: Size(columns: 1 + numbers.next(3), rows: 1 + numbers.next(3))
            case 1: Size(columns: min(80, limit.columns), rows: min(24, limit.rows))
            case 2: limit
            default: Size(columns: 1 + numbers.next(limit.columns), rows: 1 + numbers.next(limit.rows))
            }
        var painter = Painter(numbers: numbers)
        var frame = Canvas(size: size)
        painter.paint(&frame)
        first = frame
        painter.change(&frame)
        second = frame
    }
}

/// Draws random contents, including characters that terminals often render incorrectly.
struct Painter {
    var numbers: Numbers

    // The emoji of Unicode 17 is followed by a bar: tmux omits unknown emoji, but not combining marks after them.
    static let pieces = [
        "a", "plain text ", "    ", "                          ", "─", "│", "日本", "한국어", "é", "e\u{301}", "👍🏽", "\u{1F3FD}", "👩‍👩‍👧",
        "❤️", "❤", "🇩🇪",
        "🇫", "क्षि", "हिन्दी", "ำ",
        "กำ", "\u{600}1", "ᄒ", "\u{1112}\u{1161}\u{11AB}", "🫠", "\u{1F6D8}|", "#️⃣", "\t", "\u{1B}[2J", "\r\n", "\u{202E}",
        "\u{301}",
        "\u{200B}", "\u{200D}",
        "\u{9B}1m", "ﷺ", "𓀀", "𠀀", "☕︎", "⌚", "க்ஷ", "\u{F8FF}", "｡ﾞ", "x", "1", "of", "and more words than fit ",
    ]

    mutating func style() -> Style {
        let colors: [Color] = [.standard, .red, .gray, .palette(200), .rgb(10, 200, 30), .rgb(250, 250, 250)]
        switch numbers.next(5) {
        case 0: return .plain
        case 1: return Style(attributes: Style.Attributes(rawValue: UInt16(numbers.next(64))))
        case 2: return Style(background: colors[numbers.next(colors.count)])
        case 3:
            return Style(
                foreground: colors[numbers.next(colors.count)],
                link: numbers.next(2) == 0 ? "https://example.com/\(numbers.next(3))" : nil)
        default:
            return Style(
                foreground: colors[numbers.next(colors.count)], background: colors[numbers.next(colors.count)],
                attributes: Style.Attributes(rawValue: UInt16(numbers.next(64))))
        }
    }

    mutating func piece() -> String { Self.pieces[numbers.next(Self.pieces.count)] }

    mutating func line(of columns: Int) -> StyledText {
        var line = StyledText()
        var left = numbers.next(columns + 1)
        while left > 0 {
            let text = piece()
            line.append(text, numbers.next(3) == 0 ? style() : .plain)
            left -= max(1, text.columns)
        }
        return line
    }

    mutating func cell(of size: Size) -> Point { Point(column: numbers.next(size.columns), row: numbers.next(size.rows)) }

    mutating func paint(_ canvas: inout Canvas) {
        let size = canvas.size
        for row in 0..<size.rows where numbers.next(4) > 0 {
            canvas.write(line(of: size.columns), at: Point(column: 0, row: row))
        }
        for _ in 0..<numbers.next(4) { scribble(&canvas) }
    }

    /// Draws a piece, a box or a change of style at a random place.
    mutating func scribble(_ canvas: inout Canvas) {
        let origin = cell(of: canvas.size)
        let area = Rect(
            origin: origin, size: Size(columns: 1 + numbers.next(canvas.size.columns), rows: 1 + numbers.next(canvas.size.rows)))
        switch numbers.next(4) {
        case 0: canvas.fill(area, with: Character(["x", " ", "日", "─", "👍🏽"][numbers.next(5)]), style: style())
        case 1:
            let style = style()
            canvas.restyle(area) { $0 = style }
        default: canvas.write(piece(), at: origin, style: style())
        }
        canvas.cursor = numbers.next(3) == 0 ? nil : cell(of: canvas.size)
    }

    /// Changes a frame as programs do: not at all, in part, by scrolling, or completely.
    mutating func change(_ canvas: inout Canvas) {
        let size = canvas.size
        switch numbers.next(8) {
        case 0: break
        case 1: canvas.cursor = numbers.next(2) == 0 ? nil : cell(of: size)
        case 2:
            canvas.reset(size: size)
            paint(&canvas)
        case 3, 4: scroll(&canvas)
        default: for _ in 0...numbers.next(6) { scribble(&canvas) }
        }
    }

    /// Moves some rows.
    private mutating func scroll(_ canvas: inout Canvas) {
        let size = canvas.size
        let rows = numbers.next(size.rows)..<size.rows
        let distance = numbers.next(5) - 2
        let before = canvas
        canvas.fill(Rect(column: 0, row: rows.lowerBound, columns: size.columns, rows: rows.count))
        for row in rows where rows.contains(row + distance) {
            for column in 0..<size.columns {
                let place = Point(column: column, row: row + distance)
                guard let text = before.text(at: place), !text.isEmpty else { continue }
                canvas.write(text, at: Point(column: column, row: row), style: before.style(at: place))
            }
        }
        if numbers.next(2) == 0 { scribble(&canvas) }
    }
}

/// A generator of pseudorandom numbers, given a seed.
struct Numbers {
    private var state: UInt64

    init(seed: Int) {
        state = UInt64(bitPattern: Int64(seed))
        // Mixes the seed, so that neighboring seeds have unrelated sequences.
        state = UInt64(next(Int.max)) ^ state << 32
    }

    /// A number from 0 to below a limit; 0 if the limit is 0.
    mutating func next(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return limit == 0 ? 0 : Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }
}
