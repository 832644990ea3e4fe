/// The location of a part of the state.
///
/// A stored property is accessed in place by its offset, at the cost of one addition, whatever the size of the whole. Any other
/// part is accessed through its key path, which copies it.
@usableFromInline
struct Place<Whole, Part>: @unchecked Sendable {
    // Sound: `init` accepts only Sendable key paths; the type of the stored property cannot say so in a generic type.
    @usableFromInline let keyPath: WritableKeyPath<Whole, Part>
    /// The offset of the part from the start of the whole, in bytes; nil if the part is not stored in the whole directly.
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
        // If there is an offset, the language guarantees that the part is stored there.
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

    /// The name of the last property of the key path; nil if it has none, like a computed property.
    @usableFromInline
    var name: String? { propertyName(of: keyPath) }
}

/// Returns the name of the last property of a key path; nil if it has none, like a computed property.
func propertyName(of keyPath: AnyKeyPath) -> String? {
    let text = String(describing: keyPath)
    guard let dot = text.lastIndex(of: ".") else { return nil }
    let name = text[text.index(after: dot)...]
    // A computed property has an address in angle brackets here instead of a name.
    return name == "self" || !name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? nil : String(name)
}
