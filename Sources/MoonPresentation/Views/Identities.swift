/// What identifies a view: the view that contains it, its type, and its explicit id or its place.
struct NodeKey: Hashable {
    var parent: Int
    var type: ObjectIdentifier
    var place: UInt64
    var id: ViewID?
    /// Counts those of which the rest is the same.
    var copy: Int = 0
}

/// The views of the last frames by number, with what is kept for them. A view that is not drawn is forgotten.
struct Identities {
    /// The number of the container of all.
    static let root = 0

    private struct Node {
        var key: NodeKey
        var memory = ViewMemory()
        /// The frame in which it was drawn last.
        var frame: Int
    }

    private var numbers: [NodeKey: Int] = [:]
    private var nodes: [Int: Node] = [:]
    private var next = root + 1
    private var frame = 0
    private var drawn = 0

    /// Begins a frame, or the same one again.
    mutating func begin() {
        frame += 1
        drawn = 0
    }

    /// The number of a view that is drawn now. A second one with the same key is another view.
    mutating func number(_ key: NodeKey) -> Int {
        var key = key
        while let known = numbers[key] {
            if nodes[known]?.frame != frame {
                nodes[known]?.frame = frame
                drawn += 1
                return known
            }
            key.copy += 1
        }
        let number = next
        next += 1
        numbers[key] = number
        nodes[number] = Node(key: key, frame: frame)
        drawn += 1
        return number
    }

    /// Forgets the views that were not drawn.
    mutating func end() {
        guard drawn < nodes.count else { return }
        for (number, node) in nodes where node.frame != frame {
            nodes[number] = nil
            numbers[node.key] = nil
        }
    }

    /// Whether a view was drawn in the last frame, or is the container of all.
    func contains(_ number: Int) -> Bool { number == Self.root || nodes[number] != nil }

    /// The container of a view; nil for the container of all.
    func parent(of number: Int) -> Int? { nodes[number]?.key.parent }

    /// What is kept for a view.
    subscript(number: Int) -> ViewMemory {
        get { nodes[number]?.memory ?? ViewMemory() }
        set { nodes[number]?.memory = newValue }
    }
}
