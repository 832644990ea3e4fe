/// A path to a child in a composed reducer: the names of the children from the root down, with their ids.
///
/// Its description has the form `cart.rows[7].payment`; that of the root's path is empty.
public struct ScopePath: Hashable, Sendable, CustomStringConvertible {
    /// A child on the path.
    public struct Element: Hashable, Sendable {
        /// The name of the child: the property that holds it, or the name that it was scoped with.
        public let name: String
        /// The child's id; nil if it is not one of many.
        public let id: AnyID?

        /// Creates an element.
        ///
        /// - Parameters:
        ///   - name: The name of the child.
        ///   - id: The child's id, if it is one of many.
        public init(_ name: String, id: AnyID? = nil) {
            self.name = name
            self.id = id
        }
    }

    /// The children, from the root down.
    public private(set) var elements: [Element]

    /// The path of the root.
    public static var root: ScopePath { ScopePath() }

    /// Creates a path.
    ///
    /// - Parameter elements: The children, from the root down.
    public init(_ elements: [Element] = []) { self.elements = elements }

    /// Returns the path of a child.
    ///
    /// - Parameter name: The name of the child.
    public func child(_ name: String) -> ScopePath { ScopePath(elements + [Element(name)]) }

    /// Returns the path of a child that is one of many.
    ///
    /// - Parameters:
    ///   - name: The name of the children.
    ///   - id: The child's id.
    public func child(_ name: String, id: some Hashable & Sendable) -> ScopePath {
        ScopePath(elements + [Element(name, id: AnyID(id))])
    }

    /// Returns this path followed by another.
    package func appending(_ other: ScopePath) -> ScopePath { ScopePath(elements + other.elements) }

    /// True if this is the path of the root.
    public var isRoot: Bool { elements.isEmpty }

    /// The path in the form `cart.rows[7].payment`.
    public var description: String {
        elements.map { element in element.id.map { "\(element.name)[\($0)]" } ?? element.name }.joined(separator: ".")
    }
}

/// An id whose type is hidden: of one of many children, or of a job within its reducer.
///
/// ```swift
/// ScopePath.Element("rows", id: AnyID(7))
/// ```
/// Two are equal if their values are equal as `AnyHashable`.
public struct AnyID: Hashable, @unchecked Sendable, CustomStringConvertible {
    // Sound: created from a Sendable value only.
    private let value: AnyHashable

    /// Erases the type of an id.
    ///
    /// - Parameter value: Any value that is Hashable and Sendable.
    public init(_ value: some Hashable & Sendable) { self.value = AnyHashable(value) }

    /// The value.
    @usableFromInline package var base: Any { value.base }

    /// The value, described.
    public var description: String { "\(base)" }
}
