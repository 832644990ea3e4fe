/// One case of an enum, as a value: how to make the enum from what the case carries, and how to get that back.
///
/// The term in the literature is *prism*. It is to a case what a key path is to a property, and says where in a parent's
/// events and effects those of a child are:
///
/// ```swift
/// enum AppEvent { case cart(CartEvent), row(Int, RowEvent), refresh }
///
/// let cart = CasePath(AppEvent.cart) { if case .cart(let event) = $0 { event } else { nil } }
/// let row = CasePath(AppEvent.row) { if case .row(let id, let event) = $0 { (id, event) } else { nil } }
/// let refresh = CasePath(AppEvent.refresh) { if case .refresh = $0 { true } else { false } }
/// ```
public struct CasePath<Whole, Part>: Sendable {
    /// Makes the whole of the part.
    public let embed: @Sendable (Part) -> Whole
    /// The part, if the whole is this case.
    public let extract: @Sendable (Whole) -> Part?
    private let givenName: String?

    /// A case that carries one thing.
    ///
    /// What is extracted from what was embedded must be the part again, and nothing may be extracted from any other case.
    ///
    /// - Parameters:
    ///   - embed: Makes the whole of the part; usually the case itself.
    ///   - name: What a ``Rejection`` calls it; found by itself if the part is named like its case, or there is none.
    ///   - extract: The part, if the whole is this case.
    @inlinable
    public init(
        _ embed: @escaping @Sendable (Part) -> Whole, name: String? = nil,
        extract: @escaping @Sendable (Whole) -> Part?
    ) { self.init(embed: embed, extract: extract, givenName: name) }

    /// A case that carries two things, say the id of a child and its event.
    @inlinable
    public init<First, Second>(
        _ embed: @escaping @Sendable (First, Second) -> Whole, name: String? = nil,
        extract: @escaping @Sendable (Whole) -> (First, Second)?
    ) where Part == (First, Second) {
        self.init(embed: { embed($0.0, $0.1) }, extract: extract, givenName: name)
    }

    @usableFromInline
    init(
        embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?, givenName: String?
    ) { (self.embed, self.extract, self.givenName) = (embed, extract, givenName) }

    /// Whether a whole is this case.
    @inlinable
    public func matches(_ whole: Whole) -> Bool { extract(whole) != nil }

    /// What to call it.
    @usableFromInline var name: String {
        if let givenName { return givenName }
        if let none = () as? Part { return caseName(of: embed(none)) }
        return String(describing: Part.self)
    }
}

extension CasePath where Part == Void {
    /// A case that carries nothing.
    public init(
        _ whole: @autoclosure @escaping @Sendable () -> Whole, name: String? = nil,
        matches: @escaping @Sendable (Whole) -> Bool
    ) { self.init(embed: { whole() }, extract: { matches($0) ? () : nil }, givenName: name) }
}

extension CasePath {
    /// A case of a case: where a part is in a whole that has it two levels down.
    @inlinable
    public func appending<Inner>(_ inner: CasePath<Part, Inner>) -> CasePath<Whole, Inner> {
        CasePath<Whole, Inner>(
            embed: { [embed] in embed(inner.embed($0)) }, extract: { [extract] in extract($0).flatMap(inner.extract) },
            givenName: nil)
    }
}

extension CasePath where Whole == Part {
    /// Everything: the whole is its own part.
    @inlinable
    public static var identity: CasePath { CasePath(embed: { $0 }, extract: { $0 }, givenName: "identity") }
}

/// The name of the case that a value is, without what it carries; the value's description if it is no enum.
func caseName(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .enum, let label = mirror.children.first?.label { return label }
    return String(String(describing: value).prefix { $0 != "(" })
}
