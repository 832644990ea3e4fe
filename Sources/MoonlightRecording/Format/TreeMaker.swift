import PlainText
import SwiftText

/// A maker of trees from values, within a limit of parts.
package struct TreeMaker {
    /// The maximal number of parts of a value. Parts beyond that, or deeper than ``deepest``, are replaced by "…".
    static var mostParts: Int { 100_000 }
    static var deepest: Int { 64 }

    private var left: Int
    /// The bytes of text that are left. Texts beyond that are replaced, too.
    private var leftText: Int
    /// True if parts were omitted.
    private(set) var isCut = false

    /// Creates a maker of one tree.
    ///
    /// - Parameters:
    ///   - most: The maximal number of parts.
    ///   - mostText: The maximal size of their texts in bytes.
    init(most: Int = TreeMaker.mostParts, mostText: Int = RecordingFormat.mostText) {
        left = most
        leftText = mostText
    }

    /// Returns the tree of a value.
    package static func tree(of value: Any, depth: Int = 0) -> StateTree {
        var maker = TreeMaker()
        return maker.tree(of: value, depth)
    }

    /// Returns the tree of a value.
    mutating func tree(of value: Any, _ depth: Int = 0) -> StateTree {
        left -= 1
        guard left >= 0, depth < Self.deepest else { return cut() }
        if type(of: value) == Int.self || type(of: value) == String.self { return leaf(SwiftSource.of(value)) }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            return mirror.children.first.map { tree(of: $0.value, depth) } ?? leaf("nil")
        }
        if case .leaf(let text)? = Self.leaf(of: value, mirror) { return leaf(text) }
        switch mirror.displayStyle {
        case .struct: return .node(.structure, spend(SwiftSource.typeName(value)), fields(mirror, depth))
        case .tuple: return .node(.tuple, "", fields(mirror, depth))
        case .collection: return .node(.list, "", elements(mirror, depth))
        case .set:
            var parts: [StateTree.Part] = []
            for (_, element) in mirror.children {
                guard hasRoom else {
                    _ = cut()
                    break
                }
                let tree = tree(of: element, depth + 1)
                parts.append(.init(spend(tree.source), tree))
            }
            return .node(.set, "", Self.distinct(parts))
        case .dictionary:
            var parts: [StateTree.Part] = []
            for (_, pair) in mirror.children {
                guard hasRoom else {
                    _ = cut()
                    break
                }
                let (key, value) = Self.pair(pair)
                parts.append(.init(tree(of: key, depth + 1).source, tree(of: value, depth + 1)))
            }
            return .node(.dictionary, "", Self.distinct(parts))
        case .enum:
            guard let (label, payload) = mirror.children.first else { return leaf(".\(enumCase(of: value) ?? "\(value)")") }
            let inner = Mirror(reflecting: payload)
            let head = spend(label ?? "")
            if inner.displayStyle == .tuple { return .node(.enumeration, head, fields(inner, depth)) }
            return .node(.enumeration, head, [.init("0", tree(of: payload, depth + 1))])
        default: return leaf("\(value)")
        }
    }

    private mutating func leaf(_ text: String) -> StateTree { text.utf8.count <= leftText ? .leaf(spend(text)) : cut() }

    private mutating func spend(_ text: String) -> String {
        leftText -= text.utf8.count
        return text
    }

    private var hasRoom: Bool { left > 0 && leftText > 0 }

    private mutating func cut() -> StateTree {
        isCut = true
        leftText -= "…".utf8.count
        return .cut
    }

    /// Returns the leaf of a value that has no parts in a tree, even if its type has; nil for any other.
    static func leaf(of value: Any, _ mirror: Mirror) -> StateTree? {
        switch value {
        case is any StringProtocol, is Character, is Unicode.Scalar, is any BinaryInteger, is any BinaryFloatingPoint, is Bool,
            is Duration, is ObjectIdentifier:
            .leaf(SwiftSource.of(value))
        default: SwiftSource.known(value, mirror).map(StateTree.leaf)
        }
    }

    /// Returns the name of a part: the name of a property, or a number if it has none.
    static func name(_ label: String?, at place: Int) -> String {
        label.flatMap { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 } ?? "\(place)"
    }

    /// Returns the properties of a struct, or the elements of a tuple.
    private mutating func fields(_ mirror: Mirror, _ depth: Int) -> [StateTree.Part] {
        var parts: [StateTree.Part] = []
        for (label, value) in mirror.children {
            parts.append(.init(spend(Self.name(label, at: parts.count)), tree(of: value, depth + 1)))
        }
        return parts
    }

    private mutating func elements(_ mirror: Mirror, _ depth: Int) -> [StateTree.Part] {
        var parts: [StateTree.Part] = []
        for (_, value) in mirror.children {
            guard hasRoom else {
                parts.append(.init("\(parts.count)", cut()))
                break
            }
            parts.append(.init("\(parts.count)", tree(of: value, depth + 1)))
        }
        return parts
    }

    /// Returns parts with distinct names. Several may have the same text, if their type describes itself: a number is
    /// appended to the later ones.
    private static func distinct(_ parts: [StateTree.Part]) -> [StateTree.Part] {
        var counts: [String: Int] = [:]
        return parts.sorted { $0.name < $1.name }.map { part in
            let count = counts[part.name, default: 0] + 1
            counts[part.name] = count
            return count == 1 ? part : .init("\(part.name) #\(count)", part.value)
        }
    }

    private static func pair(_ pair: Any) -> (Any, Any) {
        let parts = Mirror(reflecting: pair).children.map(\.value)
        return parts.count == 2 ? (parts[0], parts[1]) : (pair, pair)
    }
}

extension StateTree {
    /// The placeholder for a part that was omitted.
    static var cut: StateTree { .leaf("…") }
}
