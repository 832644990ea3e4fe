import PlainText

/// The appearance of text: its colors, its attributes, and the address that it links to.
///
/// ```swift
/// let warning = Style(foreground: .yellow) + .bold
/// ```
public struct Style: Hashable, Sendable {
    /// The color of the characters.
    package var foreground: Color
    /// The background color.
    package var background: Color
    /// Bold, italic and the like.
    package var attributes: Attributes
    /// The address that a terminal opens when the text is clicked; nil for none.
    package var link: String? {
        get { address?.text }
        set { address = newValue.map { ExactText($0) } }
    }

    /// The link. Addresses of different bytes lead to different places, even if they are equal as `String`.
    private var address: ExactText?

    /// The terminal's own colors, and no attribute.
    public static let plain = Style()
    /// Heavier, or brighter.
    public static let bold = Style(attributes: .bold)
    /// Less bright.
    public static let dim = Style(attributes: .dim)
    /// Slanted.
    public static let italic = Style(attributes: .italic)
    /// Underlined.
    public static let underline = Style(attributes: .underline)
    /// With the colors of characters and background exchanged, as a selection is shown.
    public static let inverse = Style(attributes: .inverse)
    /// Struck through.
    public static let strikethrough = Style(attributes: .strikethrough)

    /// Creates a style without attributes, to which others are added: `Style(foreground: .red) + .bold`.
    ///
    /// - Parameters:
    ///   - foreground: The color of the characters.
    ///   - background: The background color.
    ///   - link: The address that the text links to, if any.
    public init(foreground: Color = .standard, background: Color = .standard, link: String? = nil) {
        self.init(foreground: foreground, background: background, attributes: [], link: link)
    }

    package init(
        foreground: Color = .standard, background: Color = .standard, attributes: Attributes, link: String? = nil
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
        address = link.map { ExactText($0) }
    }

    /// Combines two styles: their attributes are united; a color or link of the second replaces that of the first.
    public static func + (one: Style, other: Style) -> Style {
        Style(
            foreground: other.foreground == .standard ? one.foreground : other.foreground,
            background: other.background == .standard ? one.background : other.background,
            attributes: one.attributes.union(other.attributes), link: other.link ?? one.link)
    }

    /// Indicates whether the style can be seen on a blank.
    package var isSeenOnBlanks: Bool {
        background != .standard || link != nil || !attributes.isDisjoint(with: .seenOnBlanks)
    }

    /// Attributes of text, which a terminal can combine.
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let italic = Attributes(rawValue: 4)
        package static let underline = Attributes(rawValue: 8)
        package static let inverse = Attributes(rawValue: 16)
        package static let strikethrough = Attributes(rawValue: 32)

        /// The attributes that can be seen on a blank.
        static let seenOnBlanks: Attributes = [.underline, .inverse, .strikethrough]
    }
}

/// A color of a cell: the terminal's default, one of a palette, or a mixture of red, green and blue.
///
/// A terminal with fewer colors shows the nearest one that it has.
public struct Color: Hashable, Sendable {
    /// The kind in the highest byte, its value in the others. Zero is the default color.
    package let bits: UInt32

    /// The terminal's default color.
    public static let standard = Color(bits: 0)

    /// One of the 16 colors that the user's theme defines: 0 to 7, and 8 to 15, which are the bright ones.
    package static func ansi(_ number: UInt8) -> Color { Color(bits: 0x0100_0000 | UInt32(number & 15)) }
    /// One of the 256 colors of xterm's palette. The user's theme defines the first 16, of which 8 to 15 are bright.
    public static func palette(_ number: UInt8) -> Color { Color(bits: 0x0200_0000 | UInt32(number)) }
    /// A mixture of red, green and blue, each from 0 to 255.
    public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
        Color(bits: 0x0300_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// Black of the user's theme.
    public static let black = ansi(0)
    /// Red of the user's theme.
    public static let red = ansi(1)
    /// Green of the user's theme.
    public static let green = ansi(2)
    /// Yellow of the user's theme.
    public static let yellow = ansi(3)
    /// Blue of the user's theme.
    public static let blue = ansi(4)
    /// Magenta of the user's theme.
    public static let magenta = ansi(5)
    /// Cyan of the user's theme.
    public static let cyan = ansi(6)
    /// White of the user's theme.
    public static let white = ansi(7)
    /// Gray, which is bright black, of the user's theme.
    public static let gray = ansi(8)
}
