import Synchronization

/// A value that tells one subscriber or subscription from another.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
    private let rawValue: UInt64
    private static let next = Atomic<UInt64>(1)

    /// An identifier that no other has had in this process.
    public init() {
        // Odd numbers are handed out, even ones are addresses of objects: the two never meet.
        rawValue = Self.next.wrappingAdd(2, ordering: .relaxed).oldValue
    }

    /// The identifier of an object, the same as long as the object lives.
    public init(_ object: AnyObject) { rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

    /// The identifier as it is printed: `0x` and hexadecimal digits.
    public var description: String { "0x" + String(rawValue, radix: 16) }
}

/// Something that has a ``CombineIdentifier``. An object has the identifier of its reference by default.
public protocol CustomCombineIdentifierConvertible {
    /// What tells this one from others.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// The identifier of this object.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
