/// The length of an item of a row, a column or a grid, in the direction in which items follow each other.
///
/// ```swift
/// Columns {
///     names.length(.fraction(0.3))
///     details                             // as much as is left
///     clock.length(.content)
/// }
/// ```
public struct Length: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case automatic
        case content
        case cells(Int)
        case fraction(Double)
        case share(Double)
    }

    let kind: Kind
    let least: Int
    let most: Int

    init(_ kind: Kind, least: Int = 0, most: Int = .max) {
        self.kind = kind
        self.least = max(0, least)
        self.most = max(self.least, most)
    }

    /// The natural length if the item has one, and a share of 1 otherwise.
    public static let automatic = Length(.automatic)
    /// The natural length; nothing if the item has none.
    public static let content = Length(.content)
    /// A number of cells.
    public static func cells(_ count: Int) -> Length { Length(.cells(max(0, count))) }
    /// A fraction of the whole length, rounded down.
    public static func fraction(_ fraction: Double) -> Length { Length(.fraction(fraction)) }
    /// A share of what the others leave, by weight.
    public static func share(_ weight: Double = 1) -> Length { Length(.share(weight)) }

    /// The same length within bounds.
    ///
    /// - Parameters:
    ///   - least: The least number of cells.
    ///   - most: The largest number of cells; at least `least`.
    public func bounded(least: Int = 0, most: Int = .max) -> Length { Length(kind, least: least, most: most) }
}
