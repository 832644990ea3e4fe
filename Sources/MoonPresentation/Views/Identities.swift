/// The place of a view among its siblings.
struct ViewPlace: Hashable, Sendable {
    /// The file that adds it, if it is known by a place in a source file.
    var file = ""
    /// The line and column in that file, or a number in a container.
    var number: UInt64
}

/// The identity of a view: the view that contains it, its type, and its explicit id or its place.
struct NodeKey: Hashable {
    var parent: Int
    var type: ObjectIdentifier
    var place: ViewPlace
    var id: ViewID?
    /// Counts those of which the rest is the same.
    var copy: Int = 0
}

/// The views of the last frames by number, with what is kept for them. A view that is not drawn is forgotten.
///
/// Most frames draw the same views in the same order: a view is first looked for behind the one that was drawn before it, and by its
/// hash only if it is not there.
struct Identities {
    /// The number of the container of all.
    static let root = 0

    private struct Node {
        /// Tells the view from those that had its place before; 0 if the place is free.
        var number: Int
        var key: NodeKey
        var memory = ViewMemory()
        /// The frame in which it was drawn last.
        var frame: Int
        /// The place of the view that was drawn behind it.
        var next = 0
    }

    /// The views in their places. The first place is that of the container of all.
    private var nodes: [Node] = []
    private var free: [Int] = []
    private var places = [NodeKey: Int]()
    private var made = 0
    private var frame = 0
    /// How many views have been drawn in this frame.
    private var drawn = 0
    /// The place of the view that was drawn last.
    private var last = 0

    /// Begins a frame, or the same one again.
    mutating func begin() {
        if nodes.isEmpty {
            let key = NodeKey(parent: Self.root, type: ObjectIdentifier(Never.self), place: ViewPlace(number: 0))
            nodes.append(Node(number: Self.root, key: key, frame: 0))
        }
        frame += 1
        drawn = 0
        last = 0
    }

    /// The number of a view that is drawn now. A second one with the same key is another view.
    mutating func number(_ key: NodeKey) -> Int {
        let place = place(key)
        nodes[place].frame = frame
        nodes[last].next = place
        drawn += 1
        last = place
        return nodes[place].number
    }

    private mutating func place(_ key: NodeKey) -> Int {
        let next = nodes[last].next
        if nodes[next].number != 0, nodes[next].frame != frame, nodes[next].key == key { return next }
        var key = key
        while let known = places[key] {
            if nodes[known].frame != frame { return known }
            key.copy += 1
        }
        let place = free.popLast() ?? nodes.count
        made += 1
        // The place is in the lower half.
        let node = Node(number: made &<< (Int.bitWidth / 2) | place, key: key, frame: frame - 1)
        if place < nodes.count { nodes[place] = node } else { nodes.append(node) }
        places[key] = place
        return place
    }

    /// Forgets the views that were not drawn.
    mutating func end() {
        guard drawn < places.count else { return }
        for place in nodes.indices where nodes[place].number != 0 && nodes[place].frame != frame {
            places[nodes[place].key] = nil
            nodes[place].number = 0
            free.append(place)
        }
    }

    /// The place of a view that was drawn in the last frame.
    private func place(of number: Int) -> Int? {
        let place = number & ((1 << (Int.bitWidth / 2)) - 1)
        return place > 0 && place < nodes.count && nodes[place].number == number ? place : nil
    }

    /// Indicates whether a view was drawn in the last frame, or is the container of all.
    func contains(_ number: Int) -> Bool { number == Self.root || place(of: number) != nil }

    /// The container of a view; nil for the container of all.
    func parent(of number: Int) -> Int? { place(of: number).map { nodes[$0].key.parent } }

    /// What is kept for a view.
    subscript(number: Int) -> ViewMemory {
        get { place(of: number).map { nodes[$0].memory } ?? ViewMemory() }
        set { if let place = place(of: number) { nodes[place].memory = newValue } }
    }
}
