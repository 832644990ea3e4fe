/// How a piece of text stands out.
public enum Style: Sendable {
    /// As everything else.
    case plain
    /// Heavier.
    case bold
    /// Fainter.
    case dim
    /// In a colour.
    case accent
    /// In the colour of what is wrong.
    case alert

    var code: String {
        switch self {
        case .plain: "0"
        case .bold: "1"
        case .dim: "2"
        case .accent: "1;36"
        case .alert: "1;31"
        }
    }
}

/// A row of a panel: pieces of text, each in a style.
///
/// ```swift
/// "press " + Row("q", .accent) + " to quit"
/// ```
/// The text may be anything: what would steer the terminal is made visible.
public struct Row: Equatable, Sendable, ExpressibleByStringInterpolation {
    private struct Piece: Equatable {
        let text: String
        let style: Style
    }

    private var pieces: [Piece]

    /// A piece of text.
    public init(_ text: String, _ style: Style = .plain) {
        pieces = [Piece(text: text.escapingControls, style: style)]
    }

    /// A piece of text as everything else.
    public init(stringLiteral text: String) { self.init(text) }

    /// One row behind the other, as one.
    public static func + (left: Row, right: Row) -> Row {
        var row = left
        row.pieces += right.pieces
        return row
    }

    /// How many columns the row takes.
    public var columns: Int { pieces.reduce(0) { $0 + $1.text.columns } }

    /// What the row says, without styles.
    public var text: String { pieces.map(\.text).joined() }

    /// What to write to a terminal so that it shows the row, cut to a width.
    func rendered(columns limit: Int, styled: Bool) -> String {
        if let whole = codes(columns: limit, styled: styled, ending: nil) { return whole }
        return limit > 0 ? codes(columns: limit - 1, styled: styled, ending: "…") ?? "" : ""
    }

    /// The row with codes for its styles.
    ///
    /// - Parameter ending: What to put behind the last character that fits; nil if the row is to fit as a whole.
    /// - Returns: Nil if it does not.
    private func codes(columns limit: Int, styled: Bool, ending: String?) -> String? {
        var result = ""
        var room = limit
        for piece in pieces {
            let head = piece.text.prefix(columns: room)
            let isCut = head.endIndex != piece.text.endIndex
            if isCut, ending == nil { return nil }
            let text = head + (isCut ? ending ?? "" : "")
            result += styled && piece.style != .plain ? "\u{1B}[\(piece.style.code)m\(text)\u{1B}[0m" : text
            if isCut { break }
            room -= head.columns
        }
        return result
    }
}
