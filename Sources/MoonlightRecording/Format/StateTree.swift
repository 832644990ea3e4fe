import MoonlightTesting

/// A value as a tree of its parts, which is what a recording keeps of it for people: it can be shown, compared, and written as
/// Swift, by a program that knows nothing of its type.
package indirect enum StateTree: Equatable, Sendable {
    /// A value without parts, in Swift: `7`, `"x"`, `.idle`.
    case leaf(String)
    /// A value with parts. The head is the name of its type or, of an enum, of its case.
    case node(Shape, String, [Part])

    /// How a value with parts is written.
    package enum Shape: UInt8, Sendable {
        case structure, enumeration, tuple, list, set, dictionary
    }

    /// A part of a value: a property, an element by its index, the value for a key.
    package struct Part: Equatable, Sendable {
        package let name: String
        package var value: StateTree

        package init(_ name: String, _ value: StateTree) { (self.name, self.value) = (name, value) }
    }

    /// The parts; empty for a leaf.
    package var parts: [Part] { if case .node(_, _, let parts) = self { parts } else { [] } }

    /// Returns the part with a name.
    package func part(_ name: String) -> StateTree? { parts.first { $0.name == name }?.value }

    /// Returns what a path leads to; nil if there is nothing.
    package subscript(_ path: some Sequence<String>) -> StateTree? {
        var tree = self
        for name in path {
            guard let part = tree.part(name) else { return nil }
            tree = part
        }
        return tree
    }

    /// The number of values in it, itself included.
    var count: Int {
        guard case .node(_, _, let parts) = self else { return 1 }
        return parts.reduce(1) { $0 + $1.value.count }
    }

    /// The value in Swift, as one writes it where its type is known.
    package var source: String {
        switch self {
        case .leaf(let text): return text
        case .node(let shape, let head, let parts):
            switch shape {
            case .structure: return "\(head)(\(Self.arguments(parts)))"
            case .enumeration: return ".\(head)(\(Self.arguments(parts)))"
            case .tuple: return "(\(Self.arguments(parts)))"
            case .list, .set: return "[\(parts.map(\.value.source).joined(separator: ", "))]"
            case .dictionary:
                return parts.isEmpty ? "[:]" : "[\(parts.map { "\($0.name): \($0.value.source)" }.joined(separator: ", "))]"
            }
        }
    }

    /// The value as a story shows it: like ``source``, without the point before a case.
    package var text: String {
        switch self {
        case .leaf(let text): return text.hasPrefix(".") ? String(text.dropFirst()) : text
        case .node(let shape, let head, let parts):
            let labelled = parts.map { ($0.name.first?.isNumber ?? true) ? $0.value.text : "\($0.name): \($0.value.text)" }
            switch shape {
            case .structure, .enumeration: return "\(head)(\(labelled.joined(separator: ", ")))"
            case .tuple: return "(\(labelled.joined(separator: ", ")))"
            case .list, .set: return "[\(parts.map(\.value.text).joined(separator: ", "))]"
            case .dictionary:
                return parts.isEmpty ? "[:]" : "[\(parts.map { "\($0.name): \($0.value.text)" }.joined(separator: ", "))]"
            }
        }
    }

    private static func arguments(_ parts: [Part]) -> String {
        parts.map { ($0.name.first?.isNumber ?? true) ? $0.value.source : "\($0.name): \($0.value.source)" }
            .joined(separator: ", ")
    }
}

/// Makes trees of values, within a limit of parts.
struct TreeMaker {
    /// The number of parts that one value may have in all. What is beyond that, or deeper than ``deepest``, is left out: "…".
    static var mostParts: Int { 100_000 }
    static var deepest: Int { 64 }

    private var left = TreeMaker.mostParts

    /// Returns the tree of a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - old: A value of the same type and its tree: what is equal in both is taken from it, and not visited.
    static func tree(of value: Any, was old: (value: Any, tree: StateTree)? = nil) -> StateTree {
        var maker = TreeMaker()
        return maker.tree(of: value, was: old, 0)
    }

    private mutating func tree(of value: Any, was old: (value: Any, tree: StateTree)?, _ depth: Int) -> StateTree {
        if let old, case .node = old.tree, Self.isEqual(old.value, value) { return old.tree }
        left -= 1
        guard left >= 0, depth < Self.deepest else { return .leaf("…") }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            guard let wrapped = mirror.children.first?.value else { return .leaf("nil") }
            let before = old.flatMap { old in Mirror(reflecting: old.value).children.first.map { ($0.value, old.tree) } }
            return tree(of: wrapped, was: before, depth)
        }
        switch value {
        case is any StringProtocol, is Character, is Unicode.Scalar, is any BinaryInteger, is any BinaryFloatingPoint, is Bool,
            is Duration, is ObjectIdentifier:
            return .leaf(SwiftSource.of(value))
        default: break
        }
        if let source = SwiftSource.known(value, mirror) { return .leaf(source) }
        switch mirror.displayStyle {
        case .struct: return .node(.structure, SwiftSource.typeName(value), fields(mirror, old, depth))
        case .tuple: return .node(.tuple, "", fields(mirror, old, depth))
        case .collection: return .node(.list, "", elements(mirror, old, depth))
        case .set:
            let elements = mirror.children.map { tree(of: $0.value, was: nil, depth + 1) }
            let named = elements.map { StateTree.Part($0.source, $0) }.sorted { $0.name < $1.name }
            return .node(.set, "", Self.distinct(named))
        case .dictionary:
            var parts: [StateTree.Part] = []
            for pair in mirror.children {
                let (key, value) = Self.pair(pair.value)
                parts.append(.init(tree(of: key, was: nil, depth + 1).source, tree(of: value, was: nil, depth + 1)))
            }
            return .node(.dictionary, "", Self.distinct(parts.sorted { $0.name < $1.name }))
        case .enum:
            guard let (label, payload) = mirror.children.first else { return .leaf(".\(value)") }
            let inner = Mirror(reflecting: payload)
            if inner.displayStyle == .tuple { return .node(.enumeration, label ?? "", fields(inner, nil, depth)) }
            return .node(.enumeration, label ?? "", [.init("0", tree(of: payload, was: nil, depth + 1))])
        default: return .leaf("\(value)")
        }
    }

    /// The properties of a struct, or the elements of a tuple. Those without a name have a number.
    private mutating func fields(_ mirror: Mirror, _ old: (value: Any, tree: StateTree)?, _ depth: Int) -> [StateTree.Part] {
        let before = old.map { Mirror(reflecting: $0.value).children.makeIterator() }
        let trees = old?.tree.parts ?? []
        var parts: [StateTree.Part] = []
        for (label, value) in mirror.children {
            let name = label.flatMap { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 } ?? "\(parts.count)"
            let was = before?.next()
            let known = was.flatMap { was in
                parts.count < trees.count && trees[parts.count].name == name ? (was.value, trees[parts.count].value) : nil
            }
            parts.append(.init(name, tree(of: value, was: known, depth + 1)))
        }
        return parts
    }

    private mutating func elements(_ mirror: Mirror, _ old: (value: Any, tree: StateTree)?, _ depth: Int) -> [StateTree.Part] {
        let before = old.map { Mirror(reflecting: $0.value).children.makeIterator() }
        let trees = old?.tree.parts ?? []
        var parts: [StateTree.Part] = []
        for child in mirror.children {
            guard left > 0 else {
                parts.append(.init("\(parts.count)", .leaf("…")))
                break
            }
            let was = before?.next()
            let known = was.flatMap { was in parts.count < trees.count ? (was.value, trees[parts.count].value) : nil }
            parts.append(.init("\(parts.count)", tree(of: child.value, was: known, depth + 1)))
        }
        return parts
    }

    /// Two parts may have the same text, if their type describes itself: the later ones are told apart by a number.
    private static func distinct(_ parts: [StateTree.Part]) -> [StateTree.Part] {
        var counts: [String: Int] = [:]
        return parts.map { part in
            let count = counts[part.name, default: 0] + 1
            counts[part.name] = count
            return count == 1 ? part : .init("\(part.name) #\(count)", part.value)
        }
    }

    private static func pair(_ pair: Any) -> (Any, Any) {
        let parts = Mirror(reflecting: pair).children.map(\.value)
        return parts.count == 2 ? (parts[0], parts[1]) : (pair, pair)
    }

    private static func isEqual(_ one: Any, _ other: Any) -> Bool {
        func compare<Value: Equatable>(_ one: Value) -> Bool { (other as? Value) == one }
        guard let one = one as? any Equatable else { return false }
        return compare(one)
    }
}
