import MoonlightRecording

/// What differs, down to the smallest parts: a recording may say of a large change only that the whole is another one.
struct Difference {
    /// The number of parts that are told apart; beyond that, they are told as a whole.
    private static let most = 1000

    /// The state, for the titles.
    private let root: StateTree?
    private(set) var changes: [Look.Change] = []

    init(root: StateTree?) { self.root = root }

    /// Adds what differs in a part.
    ///
    /// - Parameters:
    ///   - path: The names that lead to it.
    ///   - before: What was there; nil if there was nothing.
    ///   - after: What is there; nil if it is gone.
    mutating func add(_ path: [String], _ before: StateTree?, _ after: StateTree?) {
        if before == after { return }
        guard changes.count < Self.most, case .node(let shape, let head, let old)? = before,
            case .node(let otherShape, let otherHead, let new)? = after, shape == otherShape, head == otherHead, !old.isEmpty,
            !new.isEmpty
        else {
            let title = root.map { TreeChange.title(of: path, in: $0) } ?? path.joined(separator: ".")
            return changes.append(Look.Change(path: path, title: title, before: before, after: after))
        }
        let was = Dictionary(old.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        for part in new { add(path + [part.name], was[part.name], part.value) }
        let names = Set(new.map(\.name))
        for part in old where !names.contains(part.name) { add(path + [part.name], part.value, nil) }
    }
}
