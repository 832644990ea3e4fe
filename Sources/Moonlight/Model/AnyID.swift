/// An id whose type is hidden: of one of many children, or of a job within its reducer.
///
/// ```swift
/// ScopePath.Element("rows", id: AnyID(7))
/// ```
/// Two are equal if their values are, types included.
public struct AnyID: Hashable, Sendable, CustomStringConvertible {
    private let value: UncheckedID

    /// Hides the type of an id.
    ///
    /// - Parameter value: Any value that is Hashable and Sendable.
    public init(_ value: some Hashable & Sendable) { self.value = UncheckedID(value: AnyHashable(value)) }

    /// The value, of its own type.
    @usableFromInline var base: Any { value.value.base }

    /// The value, described.
    public var description: String { "\(base)" }
}

private struct UncheckedID: Hashable, @unchecked Sendable {
    // Sound: made of a Sendable value only.
    let value: AnyHashable
}
