/// Where a part of the state is.
///
/// A stored property is reached by its offset: in place, at the cost of an addition, and whatever the size of what it is
/// in. Any other is reached through its key path, by a copy.
@usableFromInline
struct Place<Whole, Part>: @unchecked Sendable {
    // Sound: the key path is Sendable, which its type does not say where it is stored in a generic type.
    @usableFromInline let keyPath: WritableKeyPath<Whole, Part>
    /// Where in memory the part is, as seen from the beginning of the whole; nil if it is not stored there as it is.
    @usableFromInline let offset: Int?

    @usableFromInline
    init(_ keyPath: WritableKeyPath<Whole, Part> & Sendable) {
        self.keyPath = keyPath
        offset = MemoryLayout<Whole>.offset(of: keyPath)
    }

    @inlinable @inline(__always)
    func read<Result>(
        _ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result {
        // That there is an offset is the language's promise that a part lies there.
        if let offset { return try body((UnsafeMutableRawPointer(whole) + offset).assumingMemoryBound(to: Part.self)) }
        var part = whole.pointee[keyPath: keyPath]
        return try withUnsafeMutablePointer(to: &part, body)
    }

    @inlinable @inline(__always)
    func modify<Result>(
        _ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result {
        if let offset { return try body((UnsafeMutableRawPointer(whole) + offset).assumingMemoryBound(to: Part.self)) }
        return try withUnsafeMutablePointer(to: &whole.pointee[keyPath: keyPath], body)
    }

    /// The memory that a change of the part touches.
    @usableFromInline
    var region: Region {
        offset.map { Region(lower: $0, upper: $0 + max(MemoryLayout<Part>.size, 1)) } ?? .everything
    }

    /// The name of the last property on the way, if it has one.
    @usableFromInline
    var name: String? { propertyName(of: keyPath) }
}

/// The name of the last property on the way, if it has one.
func propertyName(of keyPath: AnyKeyPath) -> String? {
    let text = String(describing: keyPath)
    guard let dot = text.lastIndex(of: ".") else { return nil }
    let name = text[text.index(after: dot)...]
    // A computed property has no name here, but an address in angle brackets.
    return name == "self" || !name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? nil : String(name)
}

/// Which bytes of a state something concerns. What changes in one region cannot change anything in another.
@usableFromInline
struct Region: Sendable, Hashable {
    @usableFromInline let lower: Int
    @usableFromInline let upper: Int

    @usableFromInline
    init(lower: Int, upper: Int) { (self.lower, self.upper) = (lower, upper) }

    @usableFromInline static let everything = Region(lower: 0, upper: .max)

    @inlinable
    func overlaps(_ other: Region) -> Bool { lower < other.upper && other.lower < upper }
}
