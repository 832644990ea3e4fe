/// A value as a tree of its parts, which can be shown, compared and written as Swift without its type.
package indirect enum StateTree: Hashable, Sendable {
    /// A value without parts, in Swift: `7`, `"x"`, `.idle`.
    case leaf(String)
    /// A value with parts. The head is the name of its type or, of an enum, of its case.
    case node(Shape, String, [Part])

    /// The kind of a value with parts.
    package enum Shape: UInt8, Sendable {
        case structure
        case enumeration
        case tuple
        case list
        case set
        case dictionary
    }

    /// A part of a value: a property, an element by its index, the value for a key.
    package struct Part: Hashable, Sendable {
        package let name: String
        package var value: StateTree

        package init(_ name: String, _ value: StateTree) {
            self.name = name
            self.value = value
        }
    }

    /// The parts; empty for a leaf.
    package var parts: [Part] { if case .node(_, _, let parts) = self { parts } else { [] } }

    /// Returns the part with a name.
    package func part(_ name: String) -> StateTree? {
        guard case .node(let shape, _, let parts) = self else { return nil }
        return Self.index(of: name, in: parts, shape).map { parts[$0].value }
    }

    /// Returns the index of the part with a name; nil if there is none.
    static func index(of name: String, in parts: [Part], _ shape: Shape) -> Int? {
        switch shape {
        case .list:
            if let index = Int(name), parts.indices.contains(index), parts[index].name == name { return index }
        case .set, .dictionary:
            // They are sorted, unless another program has written them.
            let place = Self.place(of: name, in: parts)
            if place < parts.count, parts[place].name == name { return place }
        case .structure, .enumeration, .tuple: break
        }
        return parts.firstIndex { $0.name == name }
    }

    /// Returns the index of the first part whose name is not less than another.
    static func place(of name: String, in parts: [Part]) -> Int {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The number of bytes of all texts in the tree.
    var textSize: Int {
        switch self {
        case .leaf(let text): text.utf8.count
        case .node(_, let head, let parts): parts.reduce(head.utf8.count) { $0 + $1.name.utf8.count + $1.value.textSize }
        }
    }

    /// Returns the value at a path; nil if there is none.
    package subscript(_ path: some Sequence<String>) -> StateTree? {
        var tree = self
        for name in path {
            guard let part = tree.part(name) else { return nil }
            tree = part
        }
        return tree
    }

    /// The number of values in the tree, including itself.
    var count: Int {
        guard case .node(_, _, let parts) = self else { return 1 }
        return parts.reduce(1) { $0 + $1.value.count }
    }

    /// The value as Swift source, where its type is known.
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

    /// The value in a trace: like ``source``, without the dot before a case.
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
