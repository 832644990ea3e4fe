/// The children of one loop that have effects in flight, as a tree of scopes. A child without any is not in it.
///
/// It is the loop's own: only who handles an item of the loop touches it.
@usableFromInline
final class ScopeTree {
    /// A scope that has effects in flight, itself or further down.
    @usableFromInline
    final class Node {
        fileprivate unowned let tree: ScopeTree
        fileprivate let key: ScopeKey?
        fileprivate unowned var parent: Node?
        fileprivate var nodes: [ScopeKey: Node] = [:]
        /// Until when it is known which of its children have left.
        @usableFromInline var mark: _DepartureMark
        fileprivate var streams: [ObjectIdentifier: any ScopedStream] = [:]

        fileprivate init(_ tree: ScopeTree, key: ScopeKey?, parent: Node?, mark: _DepartureMark = _DepartureMark()) {
            (self.tree, self.key, self.parent, self.mark) = (tree, key, parent, mark)
        }
    }

    private var live = 0
    private var departing: [Node] = []
    private lazy var root = Node(self, key: nil, parent: nil)

    @usableFromInline
    init() {}

    /// The root, if any stream of a child is live.
    @usableFromInline var liveRoot: Node? { live == 0 ? nil : root }

    /// Adds a stream of effects.
    ///
    /// - Returns: The node of its child, for ``remove(_:from:)``.
    func add(_ stream: any ScopedStream, in scope: [ChildScope]) -> Node {
        var node = root
        for child in scope {
            node = node.enter(child.scope.key, mark: child.mark)
            if let id = child.id { node = node.enter(child.scope.key(id)) }
        }
        node.streams[ObjectIdentifier(stream)] = stream
        live += 1
        return node
    }

    /// Takes out a stream that has ended, and its child if that has no other.
    @usableFromInline
    func remove(_ stream: any ScopedStream, from node: Node) {
        guard node.streams.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
        live -= 1
        var node = node
        while node.streams.isEmpty, node.nodes.isEmpty, let parent = node.parent, let key = node.key {
            parent.nodes[key] = nil
            node = parent
        }
    }

    /// Ends the streams of those that have left. To be called when an effect has been folded in.
    @usableFromInline
    func endStreamsOfDeparted() {
        while let node = departing.popLast() {
            if let key = node.key, node.parent?.nodes[key] === node { node.parent?.nodes[key] = nil }
            var nodes = [node]
            var streams: [any ScopedStream] = []
            while let node = nodes.popLast() {
                streams += node.streams.values
                nodes += node.nodes.values
                (node.streams, node.nodes, node.parent) = ([:], [:], nil)
            }
            live -= streams.count
            for stream in streams { stream.childHasLeft() }
        }
    }

    /// The effect that they left by was refused: they have not left.
    @usableFromInline
    func forgetDepartures() { departing = [] }

    fileprivate func noteDeparture(of node: Node) { departing.append(node) }
}

@usableFromInline typealias ScopeNode = ScopeTree.Node

extension ScopeTree.Node {
    /// A child that has effects in flight.
    @usableFromInline
    func child(_ key: ScopeKey) -> ScopeNode? { nodes[key] }

    /// The children that have effects in flight.
    @usableFromInline var children: [(ScopeKey, ScopeNode)] { Array(nodes) }

    /// All children but one have left.
    @usableFromInline
    func leaveAll(but key: ScopeKey) { for (other, node) in nodes where other != key { node.leave() } }

    /// The child has left.
    @usableFromInline
    func leave() { tree.noteDeparture(of: self) }

    fileprivate func enter(_ key: ScopeKey, mark: _DepartureMark = _DepartureMark()) -> ScopeNode {
        if let node = nodes[key] { return node }
        let node = ScopeNode(tree, key: key, parent: self, mark: mark)
        nodes[key] = node
        return node
    }
}

/// Effects in flight of a child.
@usableFromInline
protocol ScopedStream: AnyObject {
    /// Ends it: its child has left.
    func childHasLeft()
}

/// Which child of its parent something is.
@usableFromInline
struct ScopeKey: Hashable, Sendable {
    /// The number of the scope: no two that are made have the same.
    let scope: Int
    /// The child's id, if it is one of many.
    @usableFromInline let id: AnyID?
}

/// A child, in whose scope effects are.
@usableFromInline
struct ChildScope: Sendable {
    let scope: Scope
    let id: AnyID?
    /// Until when it was known which of its siblings have left, when it was asked for the effects.
    let mark: _DepartureMark

    /// - Parameters:
    ///   - id: The child's id, if it has one.
    ///   - mark: Until when it is known which of its siblings have left.
    @usableFromInline
    init(_ scope: Scope, _ id: AnyID? = nil, mark: _DepartureMark = _DepartureMark()) {
        (self.scope, self.id, self.mark) = (scope, id, mark)
    }
}
