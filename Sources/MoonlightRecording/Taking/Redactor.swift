import SwiftText

/// Removes redacted values from a recording: the properties themselves, and their values elsewhere.
struct Redactor<State> {
    private struct Field {
        /// The names on the path to the property; empty for the state itself.
        let path: [String]
        let keyPath: PartialKeyPath<State> & Sendable
    }

    private let fields: [Field]
    private(set) var secrets = SecretTexts()
    /// The secrets that were learned since ``takeNews()``.
    private var news = SecretTexts()
    /// The known values, each with the number of the last property value that contained it.
    private var known: [String: Int] = [:]
    private var turn = 0
    /// The last values of the properties.
    private var last: [Any?]
    /// The number of values to remember that no state has any more.
    private let most: Int
    /// The number of known values at which some are forgotten.
    private var limit: Int

    /// The paths of the properties, such as `user.token`; an empty one for the state itself.
    var paths: [String] { fields.map { $0.path.joined(separator: ".") } }

    /// True if nothing is redacted.
    var isEmpty: Bool { fields.isEmpty }

    init(_ keyPaths: [PartialKeyPath<State> & Sendable], remembering most: Int = 4096) {
        self.most = most
        limit = 2 * most
        last = Array(repeating: nil, count: keyPaths.count)
        fields = keyPaths.map { keyPath in
            guard let path = Self.path(of: keyPath) else {
                preconditionFailure(
                    "Recording(redacting:): \(keyPath) names no stored property; redact the property that it is computed from")
            }
            return Field(path: path, keyPath: keyPath)
        }
    }

    /// Returns the names of the properties on the path to a stored one; nil if one of them is computed.
    private static func path(of keyPath: PartialKeyPath<State>) -> [String]? {
        // The state's type comes first, and may be generic: `\Box<Array<Int>>.token`.
        let (text, root) = ("\(keyPath)", "\\\(State.self)")
        guard text.hasPrefix(root) else { return nil }
        let rest = text.dropFirst(root.count)
        if rest.contains("<") { return nil }
        // An element of a tuple has a second dot: `\State.pair..0`.
        return rest.split(separator: ".").map { $0.filter { $0 != "?" && $0 != "!" } }.filter { $0 != "self" }
    }

    // MARK: Learning

    /// Learns values to redact.
    ///
    /// - Complexity: Only the changes of an array, a dictionary or a set are visited; any other value that has changed is
    ///   visited as a whole.
    mutating func learn(_ values: [RedactedValue]) {
        for value in values {
            turn += 1
            learn(value.value, since: last[value.property], depth: 0)
            last[value.property] = value.value
        }
    }

    /// Removes and returns the secrets that were learned since the last call; nil if there are none.
    mutating func takeNews() -> SecretTexts? {
        if news.isEmpty { return nil }
        defer { news = SecretTexts() }
        return news
    }

    /// True if so many were learned that earlier texts should be cleaned.
    var hasManyNews: Bool { news.count >= most }

    /// Forgets values that no state has had for a long time, so that a property that changes often does not fill the memory. To be
    /// called when all entries that may contain them are encoded.
    mutating func forget() {
        if known.count <= limit { return }
        turn += 1
        for value in last { if let value { learn(value, since: nil, depth: 0) } }
        let old = known.filter { $0.value < turn }.sorted { $0.value > $1.value }
        for (text, _) in old.dropFirst(most) { known[text] = nil }
        limit = known.count + most
        secrets = SecretTexts()
        for text in known.keys { Self.add(text, to: &secrets) }
    }

    private mutating func learn(_ value: Any, since old: Any?, depth: Int) {
        guard depth < TreeMaker.deepest else { return }
        if let old, SameBytes.areSame(old, value) { return }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            guard let (_, value) = mirror.children.first else { return }
            return learn(value, since: old.flatMap { Mirror(reflecting: $0).children.first?.value }, depth: depth + 1)
        }
        if let parts = value as? any SecretParts {
            for part in parts.parts(since: old) { learn(part, since: nil, depth: depth + 1) }
            learn(numbers: value, mirror)
            return
        }
        var visited: Set<ObjectIdentifier> = []
        learn(leaves: value, depth: depth, &visited)
        // In the encoded form, too, which may differ: data as Base64.
        if value is String || value is Int { return }
        if let json = Encoding.json(value).flatMap({ JSONTree($0) }) { learn(json) }
    }

    /// Learns the parts of a value, and the texts in which it is described as a whole.
    ///
    /// - Parameter visited: The objects that were visited, of which there may be cycles.
    private mutating func learn(leaves value: Any, depth: Int, _ visited: inout Set<ObjectIdentifier>) {
        guard depth < TreeMaker.deepest else { return }
        switch value {
        case let text as any StringProtocol: return learn(text: String(text))
        case let character as Character: return learn(text: String(character))
        case let scalar as Unicode.Scalar: return learn(text: String(scalar))
        case is Bool: return
        case is any BinaryInteger, is any BinaryFloatingPoint: return learn(number: "\(value)")
        case let duration as Duration: learn(text: SwiftSource.source(of: duration))
        default: break
        }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class, !visited.insert(ObjectIdentifier(value as AnyObject)).inserted { return }
        if let source = SwiftSource.known(value, mirror) {
            learn(text: source.split(separator: "\"").dropFirst().first.map(String.init) ?? "")
        }
        learn(description: value, mirror)
        learn(numbers: value, mirror)
        // Those of an object, and those that it inherits.
        for level in sequence(first: mirror, next: \.superclassMirror) {
            for child in level.children { learn(leaves: child.value, depth: depth + 1, &visited) }
        }
    }

    /// Learns the text of a value that describes itself: an event that carries the value is described with it.
    private mutating func learn(description value: Any, _ mirror: Mirror) {
        switch mirror.displayStyle {
        case .collection, .dictionary, .set, .tuple, .optional: return
        default: break
        }
        guard value is any CustomStringConvertible || value is any CustomDebugStringConvertible else { return }
        learn(text: "\(value)")
        learn(text: String(reflecting: value))
    }

    /// Learns a list of numbers as a whole: the bytes of a key are too small to be secrets each.
    ///
    /// - Complexity: Lists that are longer than keys are not learned, so that a list that grows costs no more than its parts.
    private mutating func learn(numbers value: Any, _ mirror: Mirror) {
        guard mirror.displayStyle == .collection, (4...1024).contains(mirror.children.count),
            mirror.children.allSatisfy({ $0.value is any BinaryInteger })
        else { return }
        let numbers = mirror.children.map { "\($0.value)" }
        for separator in [", ", ","] { learn(text: "[\(numbers.joined(separator: separator))]") }
    }

    private mutating func learn(_ tree: JSONTree) {
        switch tree {
        case .null, .bool: break
        case .number(let digits): learn(number: digits)
        case .text(let text): learn(text: text)
        case .list(let elements): for element in elements { learn(element) }
        case .object(let members): for member in members.values { learn(member) }
        }
    }

    private mutating func learn(text: String) { if !text.isEmpty, text != "redacted" { learn("\"\(text)") } }

    private mutating func learn(number: String) { if number.count(where: \.isNumber) >= 4 { learn(number) } }

    /// Learns a number, or a text with a leading quotation mark.
    private mutating func learn(_ value: String) {
        guard known.updateValue(turn, forKey: value) == nil else { return }
        Self.add(value, to: &secrets)
        Self.add(value, to: &news)
    }

    private static func add(_ value: String, to secrets: inout SecretTexts) {
        guard value.utf8.first == UInt8(ascii: "\"") else { return secrets.add(number: value) }
        let text = String(value.unicodeScalars.dropFirst())
        var forms = escapes(of: text)
        // Marks in first place may form other code points with the character before them.
        let rest = String(text.unicodeScalars.drop(while: SecretTexts.combines))
        if rest != text, rest.count >= 4 { forms.formUnion(escapes(of: rest)) }
        // A text in a body of JSON, which is part of an event, is escaped twice.
        if forms.count > 1 { for form in forms { forms.formUnion(escapes(of: form)) } }
        secrets.add(text: text, forms: forms)
    }

    /// Returns a text as Swift, JSON and a description escape it, and as it is.
    private static func escapes(of text: String) -> Set<String> {
        func unquoted(_ literal: String) -> String { String(literal.unicodeScalars.dropFirst().dropLast()) }
        let json = unquoted(Encoding.json(text) ?? "\"\"")
        // Other encoders escape slashes.
        let slashes = String(decoding: json.utf8.flatMap { $0 == UInt8(ascii: "/") ? Array("\\/".utf8) : [$0] }, as: UTF8.self)
        let described = unquoted(String(reflecting: text))
        var forms: Set = [
            text, unquoted(SwiftSource.quoted(text)), json, slashes, described,
            // As descriptions show characters that would steer a terminal.
            text.escapingControls, text.escapingControlsInLines, described.escapingControls,
        ]
        // A mark in first place is escaped, but not behind another character. All marks are above this code point.
        if let first = text.unicodeScalars.first, first.value >= 0x300 {
            for literal in [SwiftSource.quoted("x" + text), String(reflecting: "x" + text)] {
                let form = String(unquoted(literal).unicodeScalars.dropFirst())
                forms.formUnion([form, form.escapingControls])
            }
        }
        return forms
    }

    /// Returns a text without the secrets.
    func redacted(_ text: String) -> String { secrets.redacted(text) }

    // MARK: The state

    /// Returns the tree of a state without the redacted values.
    func redacted(_ tree: StateTree) -> StateTree {
        var tree = tree
        for field in fields {
            guard let part = tree[field.path] else { continue }
            tree.apply(TreeChange(field.path, Self.hidden(part)))
        }
        return tree
    }

    /// Returns the visible part of changes.
    ///
    /// - Parameters:
    ///   - changes: The changes of the tree of the state.
    ///   - shown: The tree before, without the redacted values.
    ///   - tree: The tree after, with the redacted values.
    /// - Returns: The changes of the tree without the redacted values, and that tree.
    func visible(_ changes: [TreeChange], in shown: StateTree, of tree: StateTree) -> ([TreeChange], StateTree) {
        var (visible, now): ([TreeChange], StateTree) = ([], shown)
        let hidden = redacted(tree)
        var isDone: Set<[String]> = []
        for change in changes {
            // The shorter of two paths one of which is a prefix of the other.
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

    /// Returns a tree of the same shape, as far as its type requires it, without information.
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

    /// Returns the JSON of a state without the redacted values; nil if a property is not at its path, so that its place in
    /// the JSON is unknown.
    func redacted(json: String, of state: State) -> String? {
        if fields.isEmpty { return json }
        guard var tree = JSONTree(json) else { return nil }
        for field in fields {
            let value: Any = state[keyPath: field.keyPath]
            // An optional without a value is absent from the JSON, with its name.
            guard tree.change(field.path[...], { Self.hidden($0, of: value) }) || Self.isNil(value) else { return nil }
        }
        return tree.text
    }

    private static func isNil(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && (mirror.children.first.map { isNil($0.value) } ?? true)
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

/// A collection in which only the changes are searched for secrets.
private protocol SecretParts {
    /// Returns the parts that an older value did not have; all of them if it has another type, or is nil.
    func parts(since old: Any?) -> [Any]
}

extension Array: SecretParts {
    fileprivate func parts(since old: Any?) -> [Any] {
        guard let old = old as? [Element] else { return self }
        return Array(self[SameBytes.changed(self, since: old)])
    }
}

extension Dictionary: SecretParts {
    fileprivate func parts(since old: Any?) -> [Any] {
        let old = old as? [Key: Value] ?? [:]
        var parts: [Any] = []
        for (key, value) in self {
            if let place = old.index(forKey: key), SameBytes.areSame(old[place].key, as: key),
                SameBytes.areSame(old[place].value, as: value)
            {
                continue
            }
            parts.append(key)
            parts.append(value)
        }
        return parts
    }
}

extension Set: SecretParts {
    fileprivate func parts(since old: Any?) -> [Any] {
        let old = old as? Set<Element> ?? []
        var parts: [Any] = []
        for element in self {
            if let place = old.firstIndex(of: element), SameBytes.areSame(old[place], as: element) { continue }
            parts.append(element)
        }
        return parts
    }
}
