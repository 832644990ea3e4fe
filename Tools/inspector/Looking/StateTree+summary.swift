import MoonlightRecording

extension StateTree {
    /// The value in Swift, up to a number of characters: an ellipsis stands for the rest.
    ///
    /// - Complexity: O(*limit*), however large the value is, but for the text of a leaf.
    func summary(limit: Int) -> String {
        var summary = Summary(limit: limit)
        summary.add(self)
        return summary.isFull ? summary.text + "…" : summary.text
    }

    /// Whether the whole value takes no more than a number of characters.
    func fits(in limit: Int) -> Bool {
        var summary = Summary(limit: limit)
        summary.add(self)
        return !summary.isFull
    }
}

private struct Summary {
    private let limit: Int
    private var left: Int
    private(set) var text = ""
    /// Whether something was left out.
    private(set) var isFull = false

    init(limit: Int) {
        self.limit = limit
        left = limit
    }

    private mutating func add(_ more: String) {
        if isFull { return }
        let part = more.prefix(left)
        text += part
        left -= part.count
        if part.endIndex < more.endIndex { isFull = true }
    }

    mutating func add(_ tree: StateTree) {
        guard case .node(let shape, let head, let parts) = tree else { return add(tree.source) }
        switch shape {
        case .structure: add("\(head)(")
        case .enumeration: add(".\(head)(")
        case .tuple: add("(")
        case .list, .set: add("[")
        case .dictionary: add(parts.isEmpty ? "[:" : "[")
        }
        for (index, part) in parts.enumerated() {
            if isFull { return }
            if index > 0 { add(", ") }
            switch shape {
            case .list, .set: break
            case .dictionary: add("\(part.name): ")
            case .structure, .enumeration, .tuple: if part.name.first?.isNumber == false { add("\(part.name): ") }
            }
            add(part.value)
        }
        switch shape {
        case .structure, .enumeration, .tuple: add(")")
        case .list, .set, .dictionary: add("]")
        }
    }
}
