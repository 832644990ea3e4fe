/// The look of text: its colors, its attributes, and the address that it links to.
///
/// ```swift
/// let warning = Style(foreground: .yellow, attributes: [.bold])
/// ```
public struct Style: Hashable, Sendable {
    /// The color of the characters.
    public var foreground: Color
    /// The color behind them.
    public var background: Color
    /// Bold, italic and the like.
    public var attributes: Attributes
    /// The address that a terminal opens when the text is clicked; nil for none.
    public var link: String?

    /// Text as the terminal shows it by itself.
    public static let plain = Style()
    /// Bold text.
    public static let bold = Style(attributes: .bold)
    /// Text that stands back.
    public static let dim = Style(attributes: .dim)
    /// Text with its colors exchanged, as a selection is shown.
    public static let inverse = Style(attributes: .inverse)

    /// Creates a style.
    ///
    /// - Parameters:
    ///   - foreground: The color of the characters.
    ///   - background: The color behind them.
    ///   - attributes: Bold, italic and the like.
    ///   - link: The address that the text links to, if any.
    public init(
        foreground: Color = .standard, background: Color = .standard, attributes: Attributes = [], link: String? = nil
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
        self.link = link
    }

    /// Attributes of text, which a terminal can combine.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The attributes as bits.
        public let rawValue: UInt16
        /// Creates attributes from bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Heavier, or brighter.
        public static let bold = Attributes(rawValue: 1)
        /// Less bright.
        public static let dim = Attributes(rawValue: 2)
        /// Slanted.
        public static let italic = Attributes(rawValue: 4)
        /// With a line below.
        public static let underline = Attributes(rawValue: 8)
        /// With the colors of characters and background exchanged.
        public static let inverse = Attributes(rawValue: 16)
        /// With a line through it.
        public static let strikethrough = Attributes(rawValue: 32)
    }
}
