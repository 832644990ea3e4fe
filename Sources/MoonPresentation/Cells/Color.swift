/// A color of a cell: the terminal's own, one of a palette, or a mixture of red, green and blue.
///
/// A terminal that has fewer colors than that is given the nearest one.
public struct Color: Hashable, Sendable {
    /// The kind in the highest byte, its value in the others. Zero is the terminal's own color.
    let bits: UInt32

    /// The color that the terminal uses when none is asked for.
    public static let standard = Color(bits: 0)

    /// One of the 16 colors that the user's theme defines: 0 to 7, and 8 to 15, which are the bright ones.
    public static func ansi(_ number: UInt8) -> Color { Color(bits: 0x0100_0000 | UInt32(number & 15)) }
    /// One of the 256 colors of xterm's palette.
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
