/// Where in a composed reducer something is: the names of the children on the way down, with their ids.
///
/// It is written `cart.rows[7].payment`; the root's is empty.
public struct ScopePath: Hashable, Sendable, CustomStringConvertible {
    /// A child on the way.
    public struct Element: Hashable, Sendable {
        /// What the child is called: the property it is in, or the name it was scoped by.
        public let name: String
        /// Its id, if it is one of many.
        public let id: AnyID?

        /// A child.
        public init(_ name: String, id: AnyID? = nil) { (self.name, self.id) = (name, id) }
    }

    /// The children, from the root down.
    public private(set) var elements: [Element]

    /// The path of the root.
    public static var root: ScopePath { ScopePath() }

    /// A path.
    public init(_ elements: [Element] = []) { self.elements = elements }

    /// The path of a child.
    public func child(_ name: String) -> ScopePath { ScopePath(elements + [Element(name)]) }

    /// The path of a child that is one of many.
    public func child(_ name: String, id: some Hashable & Sendable) -> ScopePath {
        ScopePath(elements + [Element(name, id: AnyID(id))])
    }

    /// The path that goes on where this one ends.
    func appending(_ other: ScopePath) -> ScopePath { ScopePath(elements + other.elements) }

    /// Whether it is the root's.
    public var isRoot: Bool { elements.isEmpty }

    /// `cart.rows[7].payment`.
    public var description: String {
        elements.map { element in element.id.map { "\(element.name)[\($0)]" } ?? element.name }.joined(separator: ".")
    }
}
