import Synchronization

/// A value that identifies a subscriber or a subscription.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
    private let rawValue: UInt64
    private static let next = Atomic<UInt64>(1)

    /// Creates an identifier that is unique in this process.
    public init() {
        // These numbers are odd and addresses of objects are even, so the two kinds never collide.
        rawValue = Self.next.wrappingAdd(2, ordering: .relaxed).oldValue
    }

    /// Creates the identifier of an object, which is the same as long as the object lives.
    public init(_ object: AnyObject) { rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object))) }

    /// `0x` and the identifier in hexadecimal digits.
    public var description: String { "0x" + String(rawValue, radix: 16) }
}

/// A type whose values have a ``CombineIdentifier``. Classes have a default implementation, which identifies the object.
public protocol CustomCombineIdentifierConvertible {
    /// The identifier of this value.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// The identifier of this object.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
