/// Where a child is that may not be there.
@usableFromInline
protocol ChildPlace<Whole, Part> {
    associatedtype Whole
    associatedtype Part

    /// - Returns: Nil if there is none.
    func read<Result>(_ whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) throws -> Result) rethrows -> Result?
    /// - Returns: Nil if there is none.
    func modify<Result>(_ whole: inout Whole, _ body: (inout Part) throws -> Result) rethrows -> Result?
    /// Takes the child out, where that can be done.
    func remove(from whole: inout Whole)
    /// The memory that a change of the child touches.
    var region: Region { get }
}

/// An optional property.
@usableFromInline
struct OptionalPlace<Whole, Part>: ChildPlace {
    @usableFromInline let place: Place<Whole, Part?>

    @inlinable
    init(place: Place<Whole, Part?>) { self.place = place }

    @inlinable
    func read<Result>(
        _ whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) throws -> Result
    ) rethrows -> Result? {
        try place.read(whole) { part in
            guard part.pointee != nil else { return nil }
            return try withUnsafePointer(to: part.pointee!, body)
        }
    }

    @inlinable
    func modify<Result>(_ whole: inout Whole, _ body: (inout Part) throws -> Result) rethrows -> Result? {
        try place.modify(&whole) { part in
            guard part != nil else { return nil }
            return try body(&part!)
        }
    }

    @inlinable
    func remove(from whole: inout Whole) { place.modify(&whole) { $0 = nil } }

    @usableFromInline var region: Region { place.region }
}

/// A case of an enum.
@usableFromInline
struct CasePlace<Whole, Part>: ChildPlace {
    @usableFromInline let prism: Case<Whole, Part>

    @inlinable
    init(prism: Case<Whole, Part>) { self.prism = prism }

    @inlinable
    func read<Result>(
        _ whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) throws -> Result
    ) rethrows -> Result? {
        guard let part = prism.extract(whole.pointee) else { return nil }
        return try withUnsafePointer(to: part, body)
    }

    @inlinable
    func modify<Result>(_ whole: inout Whole, _ body: (inout Part) throws -> Result) rethrows -> Result? {
        guard var part = prism.extract(whole) else { return nil }
        let result = try body(&part)
        whole = prism.embed(part)
        return result
    }

    /// An enum is always some case: nothing to take out.
    @inlinable
    func remove(from whole: inout Whole) {}

    @usableFromInline var region: Region { .everything }
}
