/// Where a child is that may not be there.
@usableFromInline
protocol ChildPlace<Whole, Part> {
    associatedtype Whole
    associatedtype Part

    /// - Returns: Nil if there is none.
    func read<Result>(
        _ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result?
    /// - Returns: Nil if there is none.
    func modify<Result>(
        _ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result?
    /// Takes the child out, where that can be done.
    func remove(from whole: UnsafeMutablePointer<Whole>)
    /// The memory that a change of the child touches.
    var region: Region { get }
    /// Whether a child is changed where it lies, so that the whole has changed as soon as the child has.
    var isInPlace: Bool { get }
}

/// An optional property.
@usableFromInline
struct OptionalPlace<Whole, Part>: ChildPlace {
    @usableFromInline let place: Place<Whole, Part?>

    @inlinable
    init(place: Place<Whole, Part?>) { self.place = place }

    @inlinable
    func read<Result>(
        _ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result? {
        try place.read(whole) { part in
            guard part.pointee != nil else { return nil }
            return try withUnsafeMutablePointer(to: &part.pointee!, body)
        }
    }

    @inlinable
    func modify<Result>(
        _ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result? {
        try place.modify(whole) { part in
            guard part.pointee != nil else { return nil }
            return try withUnsafeMutablePointer(to: &part.pointee!, body)
        }
    }

    @inlinable
    func remove(from whole: UnsafeMutablePointer<Whole>) { place.modify(whole) { $0.pointee = nil } }

    @usableFromInline var region: Region { place.region }
    @usableFromInline var isInPlace: Bool { place.offset != nil }
}

/// A case of an enum.
@usableFromInline
struct CasePlace<Whole, Part>: ChildPlace {
    @usableFromInline let prism: CasePath<Whole, Part>

    @inlinable
    init(prism: CasePath<Whole, Part>) { self.prism = prism }

    @inlinable
    func read<Result>(
        _ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result? {
        guard var part = prism.extract(whole.pointee) else { return nil }
        return try withUnsafeMutablePointer(to: &part, body)
    }

    @inlinable
    func modify<Result>(
        _ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result? {
        guard var part = prism.extract(whole.pointee) else { return nil }
        let result = try withUnsafeMutablePointer(to: &part, body)
        whole.pointee = prism.embed(part)
        return result
    }

    /// An enum is always some case: nothing to take out.
    @inlinable
    func remove(from whole: UnsafeMutablePointer<Whole>) {}

    @usableFromInline var region: Region { .everything }
    @usableFromInline var isInPlace: Bool { false }
}
