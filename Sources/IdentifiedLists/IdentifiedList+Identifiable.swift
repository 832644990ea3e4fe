import PlainText

// Lists of `Identifiable` elements. Each element is stored under its own id; storing it under another is a programming error and
// traps.
extension IdentifiedList where Element: Identifiable, Element.ID == ID {
    /// Creates a list of elements. Of several elements with the same id, the last is kept, at the position of the first.
    ///
    /// For data in which ids must not occur twice, use ``init(validating:)``.
    ///
    /// - Parameter elements: The elements, in the order of the list.
    @inlinable
    public init(_ elements: some Sequence<Element>) { self.init(elements, id: \.id) }

    /// Creates a list of elements with distinct ids: for data from outside the program.
    ///
    /// - Parameter elements: The elements, in the order of the list.
    /// - Throws: A ``DuplicateIDError`` for the first element whose id has occurred before.
    public init(validating elements: some Sequence<Element>) throws(DuplicateIDError) {
        self.init()
        for element in elements where !append(element) {
            throw DuplicateIDError(id: "\(element.id)", position: count)
        }
    }

    /// The element with an id; nil if there is none. O(log n).
    ///
    /// Setting an element replaces the one with this id in place, O(log n), or appends it if there is none, O(√n). Setting nil
    /// removes the element, O(√n).
    ///
    /// - Precondition: An element that is set has this id.
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
    /// - Precondition: `body` does not change the element's id.
    /// - Parameters:
    ///   - id: The element's id.
    ///   - body: Changes the element.
    /// - Returns: The result of `body`; nil if there is no element with this id.
    /// - Throws: The error of `body`.
    @inlinable @discardableResult
    public mutating func update<Result>(id: ID, _ body: (inout Element) throws -> Result) rethrows -> Result? {
        try change(id) { element in
            let result = try body(&element)
            Self.check(element, id)
            return result
        }
    }

    /// Adds an element at the end. O(√n).
    ///
    /// - Parameter element: The element.
    /// - Returns: Whether the element was added; false if its id is in the list already.
    @inlinable @discardableResult
    public mutating func append(_ element: Element) -> Bool { append(element, id: element.id) }

    /// Adds an element at a position. O(√n), on average.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - position: Its position, from 0 to `count`.
    /// - Returns: Whether the element was added; false if its id is in the list already.
    @inlinable @discardableResult
    public mutating func insert(_ element: Element, at position: Int) -> Bool {
        insert(element, id: element.id, at: position)
    }

    /// Traps unless the element has this id.
    @inlinable
    static func check(_ element: Element, _ id: ID) {
        precondition(
            element.id == id,
            "an element with the id \(element.id) was stored under the id \(id): remove \(id), and append the element under its own id"
        )
    }
}

extension IdentifiedList: ExpressibleByArrayLiteral where Element: Identifiable, Element.ID == ID {
    /// Creates a list of elements. O(n log n).
    ///
    /// - Precondition: The ids of the elements are distinct.
    public init(arrayLiteral elements: Element...) {
        do { try self.init(validating: elements) } catch {
            preconditionFailure(
                "\(error): give each element of the literal an id of its own, or write IdentifiedList([…]) to keep the last")
        }
    }
}

extension IdentifiedList: Encodable where Element: Encodable, Element: Identifiable, Element.ID == ID {
    /// Encodes the elements as an array.
    public func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension IdentifiedList: Decodable where Element: Decodable, Element: Identifiable, Element.ID == ID {
    /// Decodes the elements from an array.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if an id occurs twice; the error of an element that cannot be decoded.
    public init(from decoder: any Decoder) throws {
        let elements = try [Element](from: decoder)
        do { try self.init(validating: elements) } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
        }
    }
}

/// The error that two elements have the same id; see ``IdentifiedList/init(validating:)``.
public struct DuplicateIDError: Error, Hashable, CustomStringConvertible {
    /// The description of the id.
    public let id: String
    /// The position of the second element with the id.
    public let position: Int

    /// `the id 7 occurs twice, the second time at position 3`.
    public var description: String { "the id \(id) occurs twice, the second time at position \(position)".escapingControls }
}
