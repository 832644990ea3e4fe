/// The location of a child that may be absent.
@usableFromInline
protocol ChildPlace<Whole, Part> {
    associatedtype Whole
    associatedtype Part

    /// Calls `body` with the child's state, which must not be changed.
    ///
    /// - Returns: The result of `body`; nil if the child is absent.
    func read<Result>(
        _ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result?
    /// Calls `body` with the child's state, which may be changed.
    ///
    /// - Returns: The result of `body`; nil if the child is absent.
    func modify<Result>(
        _ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result?
    /// Removes the child, if that is possible.
    func remove(from whole: UnsafeMutablePointer<Whole>)
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

    /// Does nothing: an enum is always in some case.
    @inlinable
    func remove(from whole: UnsafeMutablePointer<Whole>) {}
}
