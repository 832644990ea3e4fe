import MoonlightTesting

/// Keeps what is redacted out of a recording: the properties themselves, and their values wherever else they stand.
struct Redactor<State> {
    private struct Field {
        let path: [String]
        let keyPath: PartialKeyPath<State> & Sendable
    }

    private let fields: [Field]
    /// The texts that stand for redacted values, with what replaces them, the longest first.
    private(set) var secrets: [(secret: [UInt8], replacement: [UInt8])] = []
    private var known: Set<String> = []

    /// The paths of the properties, such as `user.token`.
    var paths: [String] { fields.map { $0.path.joined(separator: ".") } }

    /// Whether nothing is redacted.
    var isEmpty: Bool { fields.isEmpty }

    init(_ keyPaths: [PartialKeyPath<State> & Sendable]) {
        fields = keyPaths.map { keyPath in
            let names = "\(keyPath)".split(separator: ".").dropFirst().map { $0.filter { $0 != "?" && $0 != "!" } }
            precondition(
                !names.isEmpty && !"\(keyPath)".contains("<"),
                "Recording(redacting:): \(keyPath) names no stored property; redact the property that it is computed from")
            return Field(path: names, keyPath: keyPath)
        }
    }

    /// Learns the values of a state that are to be kept out; returns whether there are new ones.
    mutating func learn(_ state: State) -> Bool {
        let before = known.count
        for field in fields { learn(leaves: state[keyPath: field.keyPath], depth: 0) }
        if known.count == before { return false }
        secrets.sort { $0.secret.count > $1.secret.count }
        return true
    }

    private mutating func learn(leaves value: Any, depth: Int) {
        guard depth < TreeMaker.deepest else { return }
        switch value {
        case let text as any StringProtocol: learn(text: String(text))
        case is Bool: break
        case is any BinaryInteger, is any BinaryFloatingPoint: learn(number: "\(value)")
        default:
            let mirror = Mirror(reflecting: value)
            if let source = SwiftSource.known(value, mirror) {
                learn(text: source.split(separator: "\"").dropFirst().first.map(String.init) ?? "")
            }
            for child in mirror.children { learn(leaves: child.value, depth: depth + 1) }
        }
    }

    private mutating func learn(text: String) {
        guard !text.isEmpty, text != "redacted", known.insert(text).inserted else { return }
        // As it stands in Swift, in JSON and in a description.
        let literal = String(SwiftSource.quoted(text).dropFirst().dropLast())
        let json = (Encoding.json(text) ?? "\"\"").dropFirst().dropLast()
        for form in Set([text, literal, String(json), String(String(reflecting: text).dropFirst().dropLast())]) {
            if text.count >= 4 {
                secrets.append((Array(form.utf8), Array("redacted".utf8)))
            } else {
                // A short text is part of many others: only the whole literal is meant.
                secrets.append((Array("\"\(form)\"".utf8), Array("\"redacted\"".utf8)))
            }
        }
    }

    private mutating func learn(number: String) {
        guard number.count(where: \.isNumber) >= 4, known.insert(number).inserted else { return }
        secrets.append((Array(number.utf8), Array("0".utf8)))
    }

    /// Returns a text without the secrets.
    func redacted(_ text: String) -> String {
        if secrets.isEmpty { return text }
        var bytes = Array(text.utf8)
        var isChanged = false
        for (secret, replacement) in secrets where bytes.count >= secret.count {
            guard let changed = Self.replacing(secret, in: bytes, by: replacement) else { continue }
            (bytes, isChanged) = (changed, true)
        }
        return isChanged ? String(decoding: bytes, as: UTF8.self) : text
    }

    /// Returns the bytes with all occurrences of others replaced; nil if there are none.
    private static func replacing(_ secret: [UInt8], in bytes: [UInt8], by replacement: [UInt8]) -> [UInt8]? {
        guard let head = secret.first else { return nil }
        let isNumber = replacement == [UInt8(ascii: "0")]
        var result: [UInt8] = []
        var (place, copied, isFound) = (0, 0, false)
        let last = bytes.count - secret.count
        while place <= last {
            if bytes[place] == head, bytes[place..<place + secret.count].elementsEqual(secret),
                !isNumber || isAlone(place, secret.count, bytes)
            {
                result += bytes[copied..<place]
                result += replacement
                place += secret.count
                (copied, isFound) = (place, true)
            } else {
                place += 1
            }
        }
        return isFound ? result + bytes[copied...] : nil
    }

    /// Whether a number is no part of a longer one.
    private static func isAlone(_ place: Int, _ count: Int, _ bytes: [UInt8]) -> Bool {
        func isDigit(_ place: Int) -> Bool { bytes.indices.contains(place) && (48...57).contains(bytes[place]) }
        return !isDigit(place - 1) && !isDigit(place + count)
    }

    // MARK: The state

    /// Returns the tree of a state without what is redacted.
    func redacted(_ tree: StateTree) -> StateTree {
        var tree = tree
        for field in fields {
            guard let part = tree[field.path] else { continue }
            tree.apply(TreeChange(field.path, Self.hidden(part)))
        }
        return tree
    }

    /// Returns what of changes is visible.
    ///
    /// - Parameters:
    ///   - changes: What has changed in the tree of the state.
    ///   - shown: The tree before that, without what is redacted.
    ///   - tree: The tree after that, as it is.
    /// - Returns: What has changed in the tree without what is redacted, and that tree.
    func visible(_ changes: [TreeChange], in shown: StateTree, of tree: StateTree) -> ([TreeChange], StateTree) {
        var (visible, now): ([TreeChange], StateTree) = ([], shown)
        let hidden = redacted(tree)
        var isDone: Set<[String]> = []
        for change in changes {
            // The shorter of two paths of which one begins with the other.
            let touched = fields.filter { zip($0.path, change.path).allSatisfy { $0 == $1 } }.map {
                $0.path.count < change.path.count ? $0.path : change.path
            }
            guard let root = touched.min(by: { $0.count < $1.count }) else {
                visible.append(change)
                now.apply(change)
                continue
            }
            guard isDone.insert(root).inserted else { continue }
            for change in Self.changes(at: root, from: now[root], to: hidden[root]) {
                visible.append(change)
                now.apply(change)
            }
        }
        return (visible, now)
    }

    private static func changes(at root: [String], from old: StateTree?, to new: StateTree?) -> [TreeChange] {
        switch (old, new) {
        case (let old?, let new?): old.changes(to: new).map { TreeChange(root + $0.path, $0.value) }
        case (nil, nil): []
        default: [TreeChange(root, new)]
        }
    }

    /// A tree of the same shape, as far as its type asks for one, that says nothing.
    private static func hidden(_ tree: StateTree) -> StateTree {
        switch tree {
        case .leaf("nil"): return tree
        case .leaf(let text) where text.hasPrefix("\""): return .leaf("\"redacted\"")
        case .leaf("true"), .leaf("false"): return .leaf("false")
        case .leaf(let text): return .leaf(text.allSatisfy { $0.isNumber || "+-.e".contains($0) } ? "0" : "redacted")
        case .node(.enumeration, _, _): return .leaf("redacted")
        case .node(.list, _, _): return .node(.list, "", [])
        case .node(.set, _, _): return .node(.set, "", [])
        case .node(.dictionary, _, _): return .node(.dictionary, "", [])
        case .node(let shape, let head, let parts):
            return .node(shape, head, parts.map { .init($0.name, hidden($0.value)) })
        }
    }

    /// Returns the JSON of a state without what is redacted; nil if a property is not where its name says, so that nobody knows
    /// what the JSON tells of it.
    func redacted(json: String, of state: State) -> String? {
        if fields.isEmpty { return json }
        guard var tree = JSONTree(json) else { return nil }
        for field in fields {
            let value: Any = state[keyPath: field.keyPath]
            guard tree.change(field.path[...], { Self.hidden($0, of: value) }) else { return nil }
        }
        return tree.text
    }

    private static func hidden(_ tree: JSONTree, of value: Any) -> JSONTree {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            return mirror.children.first.map { hidden(tree, of: $0.value) } ?? .null
        }
        switch tree {
        case .null: return .null
        case .bool: return .bool(false)
        case .number: return .number("0")
        case .text: return mirror.displayStyle == .enum ? .null : .text("redacted")
        case .list: return .list([])
        case .object(let members):
            guard mirror.displayStyle == .struct else { return mirror.displayStyle == .dictionary ? .object([:]) : .null }
            let parts = Dictionary(mirror.children.map { ($0.label ?? "", $0.value) }, uniquingKeysWith: { first, _ in first })
            var hiddenMembers: [String: JSONTree] = [:]
            for (name, member) in members {
                guard let part = parts[name] else { continue }
                hiddenMembers[name] = hidden(member, of: part)
            }
            return .object(hiddenMembers)
        }
    }
}
