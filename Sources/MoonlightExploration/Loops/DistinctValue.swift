import Moonlight

/// A value that is not Hashable, distinguished by its type, its case and its parts.
struct DistinctValue: Hashable, CustomStringConvertible {
    private let value: Any
    private let type: ObjectIdentifier
    private let name: String?
    private let parts: [AnyHashable]
    /// True if it contains closures or objects, which have no identity that is the same in each play. Those of one type are equal.
    private(set) var isOpaque: Bool
    /// The number of an event among those that are possible in its state; nil if the value is identified by its parts alone.
    var number: Int?

    /// - Parameters:
    ///   - value: The value.
    ///   - objects: The objects that contain it. An object that contains itself has no parts there.
    init(_ value: Any, inside objects: [ObjectIdentifier] = []) {
        self.value = value
        type = ObjectIdentifier(Swift.type(of: value))
        name = enumCase(of: value)
        var mirror: Mirror? = Mirror(reflecting: value)
        let style = mirror?.displayStyle
        isOpaque = style == nil || style == .class
        var (parts, objects) = ([AnyHashable](), objects)
        if style == .class {
            let object = ObjectIdentifier(value as AnyObject)
            if objects.contains(object) { mirror = nil }
            objects.append(object)
        }
        while let level = mirror {
            for child in level.children {
                if let part = child.value as? AnyHashable {
                    parts.append(part)
                } else {
                    let part = DistinctValue(child.value, inside: objects)
                    isOpaque = isOpaque || part.isOpaque
                    parts.append(part)
                }
            }
            mirror = level.superclassMirror
        }
        // A dictionary has no stable order. Its keys are different, and so are the pairs.
        self.parts = style == .dictionary ? [Set(parts)] : parts
    }

    var description: String { ValueText.describe(value) }

    static func == (one: Self, other: Self) -> Bool {
        one.type == other.type && one.name == other.name && one.parts == other.parts && one.number == other.number
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(name)
        hasher.combine(parts)
        hasher.combine(number)
    }
}

/// Returns a key that distinguishes values: the value if it is Hashable, or else its parts.
func distinction(of value: Any) -> AnyHashable { value as? AnyHashable ?? AnyHashable(DistinctValue(value)) }

/// Returns ``distinction(of:)`` for values of a type, whose conformance is checked once.
func distinguishing<Value>(_ type: Value.Type) -> (Value) -> AnyHashable {
    if type is any Hashable.Type { { $0 as! AnyHashable } } else { distinction }
}
