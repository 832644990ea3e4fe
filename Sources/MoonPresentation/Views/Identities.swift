/// The place of a view among its siblings.
struct ViewPlace: Hashable, Sendable {
    /// The source file that adds the view; empty in containers.
    var file = ""
    /// The line and column in that file, or the number in a container.
    var number: UInt64
}

/// The identity of a view: its container, its type, and its id or place.
struct NodeKey: Hashable {
    var parent: Int
    var type: ObjectIdentifier
    var place: ViewPlace
    var id: ViewID?
    /// A number that distinguishes views with the same key.
    var copy: Int = 0
}

/// The views of the last frame by number, with their memory. A view that is not drawn is removed.
///
/// Most frames draw the same views in the same order. A view is first looked up after the previously drawn one, and then by its
/// hash.
struct Identities {
    /// The number of the root.
    static let root = 0

    private struct Node {
        /// The view's unique number; 0 if the place is free.
        var number: Int
        var key: NodeKey
        var memory = ViewMemory()
        /// The number of the last frame with the view.
        var frame: Int
        /// The place of the view that was drawn after it.
        var next = 0
    }

    /// The views in their places. The first place is that of the root.
    private var nodes: [Node] = []
    private var free: [Int] = []
    private var places = [NodeKey: Int]()
    private var made = 0
    private var frame = 0
    /// The number of views drawn in this frame.
    private var drawn = 0
    /// The place of the view that was drawn last.
    private var last = 0

    /// Begins a frame.
    mutating func begin() {
        if nodes.isEmpty {
            let key = NodeKey(parent: Self.root, type: ObjectIdentifier(Never.self), place: ViewPlace(number: 0))
            nodes.append(Node(number: Self.root, key: key, frame: 0))
        }
        frame += 1
        drawn = 0
        last = 0
    }

    /// The number of a view that is drawn now. A second view with the same key gets another number.
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
        // The lower half of the number is the place.
        let node = Node(number: made &<< (Int.bitWidth / 2) | place, key: key, frame: frame - 1)
        if place < nodes.count { nodes[place] = node } else { nodes.append(node) }
        places[key] = place
        return place
    }

    /// Removes the views that were not drawn.
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

    /// Indicates whether a view was drawn in the last frame, or is the root.
    func contains(_ number: Int) -> Bool { number == Self.root || place(of: number) != nil }

    /// The container of a view; nil for the root.
    func parent(of number: Int) -> Int? { place(of: number).map { nodes[$0].key.parent } }

    /// The memory of a view.
    subscript(number: Int) -> ViewMemory {
        get { place(of: number).map { nodes[$0].memory } ?? ViewMemory() }
        set { if let place = place(of: number) { nodes[place].memory = newValue } }
    }
}

/// The view state that is kept for a view between frames, such as its scroll position. It is reset for a view that was not in the
/// last frame.
package struct ViewMemory: Hashable, Sendable {
    /// The scroll position: the cell of the content in the upper left corner.
    package var offset = Point.zero
    /// The item that was last scrolled into sight, so that the user can scroll away from it.
    var revealed: Int?
    /// A number for the view's own use, such as the place of a dragged line.
    var mark: Int?
    /// The length of the view when ``mark`` was set.
    var markRoom: Int?
    /// Indicates whether the view requested the focus when it was last drawn.
    var wantedFocus = false

    /// Creates an empty memory.
    package init() {}
}
