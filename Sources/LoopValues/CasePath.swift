import PlainText

/// A case of an enum as a value: embeds an associated value in the enum, and extracts it again.
///
/// A case path is to a case what a key path is to a property; in the literature, it is called a *prism*. Here, it selects the
/// events and effects of a child among those of its parent:
///
/// ```swift
/// enum AppEvent { case cart(CartEvent), row(Int, RowEvent), refresh }
///
/// let cart = CasePath(AppEvent.cart) { if case .cart(let event) = $0 { event } else { nil } }
/// let row = CasePath(AppEvent.row) { if case .row(let id, let event) = $0 { (id, event) } else { nil } }
/// let refresh = CasePath(AppEvent.refresh) { if case .refresh = $0 { true } else { false } }
/// ```
public struct CasePath<Whole, Part>: Sendable {
    /// Embeds an associated value in the enum.
    public let embed: @Sendable (Part) -> Whole
    /// Extracts the associated value; nil if the enum is in another case.
    public let extract: @Sendable (Whole) -> Part?
    @usableFromInline let givenName: String?

    /// Creates a case path for a case with one associated value.
    ///
    /// Extracting from an embedded value must return that value, and extracting from any other case must return nil.
    ///
    /// - Parameters:
    ///   - embed: Embeds an associated value; usually the case itself.
    ///   - name: The name of the case in a ``Rejection``; by default, the name of the associated value's type.
    ///   - extract: Extracts the associated value; nil if the enum is in another case.
    @inlinable
    public init(
        _ embed: @escaping @Sendable (Part) -> Whole, name: String? = nil,
        extract: @escaping @Sendable (Whole) -> Part?
    ) {
        self.embed = embed
        self.extract = extract
        givenName = name
    }

    /// Creates a case path for a case with two associated values, for example the id of a child and its event.
    ///
    /// - Parameters:
    ///   - embed: Embeds the associated values; usually the case itself.
    ///   - name: The name of the case in a ``Rejection``; by default, the name of the associated values' tuple type.
    ///   - extract: Extracts the associated values; nil if the enum is in another case.
    @inlinable
    public init<First, Second>(
        _ embed: @escaping @Sendable (First, Second) -> Whole, name: String? = nil,
        extract: @escaping @Sendable (Whole) -> (First, Second)?
    ) where Part == (First, Second) {
        self.init({ embed($0.0, $0.1) }, name: name, extract: extract)
    }

    /// The name in a ``Rejection``: the given one; by default, that of the case if it carries nothing, otherwise that of the
    /// associated value's type.
    public var name: String {
        if let givenName { return givenName }
        if let none = () as? Part { return caseName(of: embed(none)) }
        return String(describing: Part.self)
    }
}

extension CasePath where Part == Void {
    /// Creates a case path for a case without associated values.
    ///
    /// - Parameters:
    ///   - whole: The case.
    ///   - name: The name of the case in a ``Rejection``; by default, its own name.
    ///   - matches: Returns whether an enum is in this case.
    public init(
        _ whole: @autoclosure @escaping @Sendable () -> Whole, name: String? = nil,
        matches: @escaping @Sendable (Whole) -> Bool
    ) { self.init({ whole() }, name: name, extract: { matches($0) ? () : nil }) }
}

extension CasePath {
    /// Returns the case path of a case within the associated value of this case.
    ///
    /// Its name consists of both names, unless neither was given and the inner case carries a value.
    ///
    /// - Parameter inner: The case path from the associated value on.
    @inlinable
    public func appending<Inner>(_ inner: CasePath<Part, Inner>) -> CasePath<Whole, Inner> {
        let isNamed = givenName != nil || inner.givenName != nil || Inner.self == Void.self
        return CasePath<Whole, Inner>(
            { [embed] in embed(inner.embed($0)) }, name: isNamed ? "\(name).\(inner.name)" : nil,
            extract: { [extract] in extract($0).flatMap(inner.extract) })
    }

    /// The path of a child that is not one of many, which has no id.
    @inlinable package var withoutKey: CasePath<Whole, (Void, Part)> {
        CasePath<Whole, (Void, Part)>(
            { [embed] in embed($0.1) }, extract: { [extract] in extract($0).map { ((), $0) } })
    }
}

extension CasePath where Whole == Part {
    /// The case path of the whole value.
    @inlinable
    public static var identity: CasePath { CasePath({ $0 }, name: "identity", extract: { $0 }) }
}

/// Returns the name of the case of an enum, without associated values; for other values, their description up to the first
/// parenthesis.
package func caseName(of value: Any) -> String {
    enumCase(of: value) ?? String(String(describing: value).prefix { $0 != "(" })
}
