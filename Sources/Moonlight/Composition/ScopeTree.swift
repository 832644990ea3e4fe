import Streams
import Synchronization

/// The children of one loop that have effects in flight, as a tree of scopes. Other children are not in it.
///
/// Belongs to the loop: only the owner of the loop's mailbox accesses it.
@usableFromInline
final class ScopeTree {
    /// A scope that has effects in flight, in itself or in its descendants.
    @usableFromInline
    final class Node {
        fileprivate unowned let tree: ScopeTree
        fileprivate let key: ScopeKey?
        fileprivate unowned var parent: Node?
        fileprivate var nodes: [ScopeKey: Node] = [:]
        /// The version of the collection of children up to which removals have been processed.
        var mark: UInt64?
        fileprivate var streams = Numbered<EffectOrigin>()

        fileprivate init(_ tree: ScopeTree, key: ScopeKey?, parent: Node?, mark: UInt64? = nil) {
            self.tree = tree
            self.key = key
            self.parent = parent
            self.mark = mark
        }
    }

    /// The number of streams in the tree.
    private var live = 0
    /// The nodes of removed children whose streams have not been ended yet.
    fileprivate var departing: [Node] = []
    /// The marks that the effect being folded has moved, as they were before.
    fileprivate var formerMarks: [(node: Node, mark: UInt64?)] = []
    private lazy var root = Node(self, key: nil, parent: nil)

    init() {}

    /// The root; nil if no stream of a child is live.
    @usableFromInline var liveRoot: Node? { live == 0 ? nil : root }

    /// Adds a stream of effects.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - scope: The children in whose scope it is, outermost first.
    /// - Returns: The node of its child, and its number there.
    func add(_ stream: EffectOrigin, in scope: [ChildScope]) -> StreamPlace {
        var node = root
        for child in scope {
            node = node.enter(child.scope.key, mark: child.mark)
            if let id = child.id { node = node.enter(child.scope.key(id)) }
        }
        live += 1
        return (node, node.streams.add(stream))
    }

    /// Removes a stream that has ended, and the nodes of its child and the ancestors that are empty without it.
    @usableFromInline
    func remove(_ place: StreamPlace) {
        guard place.node.streams.remove(place.number) != nil else { return }
        live -= 1
        var node = place.node
        while node.streams.isEmpty, node.nodes.isEmpty, let parent = node.parent, let key = node.key {
            parent.nodes[key] = nil
            node = parent
        }
    }

    /// Ends the streams of the children that have been removed, in the order in which they began. Called after an effect has been
    /// folded.
    @usableFromInline
    func endStreamsOfDeparted() {
        formerMarks = []
        var streams: [EffectOrigin] = []
        while let node = departing.popLast() {
            if let key = node.key, node.parent?.nodes[key] === node { node.parent?.nodes[key] = nil }
            var nodes = [node]
            while let node = nodes.popLast() {
                streams += node.streams
                nodes += node.nodes.values
                node.streams = Numbered()
                node.nodes = [:]
                node.parent = nil
            }
        }
        if streams.isEmpty { return }
        live -= streams.count
        // Sorted, because the order of a dictionary differs from one run of a program to the next.
        for stream in streams.ordered(by: \.number) { stream.childWasRemoved() }
    }

    /// Releases the streams, which retain their nodes. Called when the loop has ended.
    @usableFromInline
    func end() {
        var nodes = [root]
        while let node = nodes.popLast() {
            nodes += node.nodes.values
            node.nodes = [:]
            node.streams = Numbered()
        }
    }

    /// Forgets the removals that were noted, and moves the marks back, because the effect that caused them was rejected.
    func forgetDepartures() {
        departing = []
        for (node, mark) in formerMarks.reversed() { node.mark = mark }
        formerMarks = []
    }
}

@usableFromInline typealias ScopeNode = ScopeTree.Node

/// The place of a stream in the tree.
@usableFromInline typealias StreamPlace = (node: ScopeNode, number: Int)

extension ScopeTree.Node {
    /// Returns the node of a child; nil if the child has no effects in flight.
    @usableFromInline
    func child(_ key: ScopeKey) -> ScopeNode? { nodes[key] }

    /// The id of the child; nil if it has none.
    @usableFromInline var id: AnyID? { key?.id }

    /// The children that have effects in flight, with their nodes.
    @usableFromInline var children: [(ScopeKey, ScopeNode)] { Array(nodes) }

    /// Notes that all children but one have been removed.
    @usableFromInline
    func leaveAll(but key: ScopeKey) { for (other, node) in nodes where other != key { node.leave() } }

    /// Notes that the child has been removed.
    @usableFromInline
    func leave() { tree.departing.append(self) }

    /// Calls a closure that may move the mark. If the effect that is being folded is rejected, the mark is moved back.
    @usableFromInline
    func movingMark<Result>(_ move: (inout UInt64?) -> Result) -> Result {
        let before = mark
        let result = move(&mark)
        if mark != before { tree.formerMarks.append((self, before)) }
        return result
    }

    fileprivate func enter(_ key: ScopeKey, mark: UInt64? = nil) -> ScopeNode {
        if let node = nodes[key] { return node }
        let node = ScopeNode(tree, key: key, parent: self, mark: mark)
        nodes[key] = node
        return node
    }
}

/// Identifies a child among the children of its parent.
@usableFromInline
struct ScopeKey: Hashable, Sendable {
    /// The number of the scope, unique in the process.
    let scope: Int
    /// The child's id; nil for the scope as a whole, and for a child without an id.
    @usableFromInline let id: AnyID?
}

/// A child to which effects are tied: its declaration, its id, if it has one, and the version of the collection of children at the
/// time when the child returned the effects.
@usableFromInline typealias ChildScope = (scope: Scope, id: AnyID?, mark: UInt64?)

/// The declaration of a child in a composed reducer: its name, and where in the source it is declared.
@usableFromInline
final class Scope: Sendable {
    private static let count = Atomic<Int>(0)

    /// Unique in the process.
    let number: Int
    let name: String
    let file: String
    let line: Int

    @usableFromInline
    init<Part>(_ name: String?, of part: Part.Type, file: String, line: Int) {
        number = Self.count.add(1, ordering: .relaxed).newValue
        self.name = name ?? "\(Part.self)#\(number)"
        self.file = file
        self.line = line
    }

    @usableFromInline var key: ScopeKey { ScopeKey(scope: number, id: nil) }

    @usableFromInline
    func key(_ id: AnyID) -> ScopeKey { ScopeKey(scope: number, id: id) }

    func element(_ id: AnyID?) -> ScopePath.Element { .init(name, id: id) }

    /// Runs `body` for a child, and prepends the child to the path of a ``/LoopValues/Rejection`` that it throws.
    @inlinable
    func locating<Result>(
        _ id: @autoclosure () -> AnyID? = nil, _ body: () throws -> Result
    ) throws -> Result {
        do { return try body() } catch { throw located(error, id()) }
    }

    @usableFromInline
    func located(_ error: any Error, _ id: AnyID?) -> any Error {
        guard let rejection = error as? Rejection else { return error }
        return rejection.located(in: element(id))
    }

    /// Returns the rejection of an event for an absent child.
    @usableFromInline
    func absence(_ id: AnyID?) -> Rejection {
        Rejection("the child is absent", isForAbsentChild: true, path: ScopePath([element(id)]), file: file, line: line)
    }
}
