// Elements that know their ids. Each stands under its own: what would put it under another is a mistake of the program's, and traps.
extension IdentifiedList where Element: Identifiable, Element.ID == ID {
    /// A list of elements. Of several with the same id the last stays, in the place of the first.
    ///
    /// For data in which that must not happen, use ``init(validating:)``.
    @inlinable
    public init(_ elements: some Sequence<Element>) { self.init(elements, id: \.id) }

    /// A list of elements, each with an id of its own: for data that comes from outside.
    ///
    /// - Parameter elements: The elements, in the order of the list.
    /// - Throws: A ``DuplicateIDError`` that names the first id that occurs twice.
    public init(validating elements: some Sequence<Element>) throws(DuplicateIDError) {
        self.init()
        for element in elements where !append(element) {
            throw DuplicateIDError(id: "\(element.id)", position: count)
        }
    }

    /// The element with this id; nil if there is none. Set it to replace the element where it is, to append one under a new
    /// id, or, by nil, to remove it. O(log n).
    ///
    /// - Precondition: The element that is set has this very id.
    @inlinable
    public subscript(id id: ID) -> Element? {
        get { element(under: id) }
        set {
            if let newValue { Self.check(newValue, id) }
            set(newValue, under: id)
        }
    }

    /// Changes an element in place. O(log n).
    ///
    /// - Precondition: The element keeps its id.
    /// - Parameters:
    ///   - id: Which.
    ///   - body: Changes it.
    /// - Returns: What the closure returns; nil if there is no element with this id.
    @inlinable @discardableResult
    public mutating func update<Result>(_ id: ID, _ body: (inout Element) throws -> Result) rethrows -> Result? {
        try change(id) { element in
            let result = try body(&element)
            Self.check(element, id)
            return result
        }
    }

    /// Adds an element at the end. O(√n).
    ///
    /// - Returns: Whether it was added: not if there is one with its id.
    @inlinable @discardableResult
    public mutating func append(_ element: Element) -> Bool { append(element, id: element.id) }

    /// Adds an element at a position. O(√n), on average.
    ///
    /// - Returns: Whether it was added: not if there is one with its id.
    @inlinable @discardableResult
    public mutating func insert(_ element: Element, at position: Int) -> Bool {
        insert(element, id: element.id, at: position)
    }

    @inlinable
    static func check(_ element: Element, _ id: ID) {
        precondition(
            element.id == id,
            "an element with the id \(element.id) was put under the id \(id): remove that one, and append the element under its own"
        )
    }
}

extension IdentifiedList: ExpressibleByArrayLiteral where Element: Identifiable, Element.ID == ID {
    /// A list of elements, O(n log n).
    ///
    /// - Precondition: Each has an id of its own.
    public init(arrayLiteral elements: Element...) {
        do { try self.init(validating: elements) } catch {
            preconditionFailure(
                "\(error): give each element of the literal its own, or write IdentifiedList([…]) to keep the last")
        }
    }
}

extension IdentifiedList: Encodable where Element: Encodable, Element: Identifiable, Element.ID == ID {
    /// Encodes the elements, as an array.
    public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension IdentifiedList: Decodable where Element: Decodable, Element: Identifiable, Element.ID == ID {
    /// Decodes the elements from an array.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if an id occurs twice; what decoding an element throws.
    public init(from decoder: any Decoder) throws {
        let elements = try [Element](from: decoder)
        do { try self.init(validating: elements) } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
        }
    }
}

/// Says that of some elements two have the same id; see ``IdentifiedList/init(validating:)``.
public struct DuplicateIDError: Error, Hashable, CustomStringConvertible {
    /// The id, described.
    public let id: String
    /// The position of the element that has it for the second time.
    public let position: Int

    /// `the id 7 occurs twice, the second time at position 3`.
    public var description: String { "the id \(id) occurs twice, the second time at position \(position)" }
}
