import Streams
import Synchronization

/// The children of one loop that have effects in flight, as a tree of scopes. A child without any is not in it.
@usableFromInline
final class ScopeTree: @unchecked Sendable {
    // Sound: the nodes are behind the lock, `departing` is only touched by the loop's owner.

    /// A scope that has effects in flight, itself or further down.
    @usableFromInline
    final class Node: @unchecked Sendable {
        // Sound: what changes is behind the lock of the tree.
        unowned let tree: ScopeTree
        let key: ScopeKey?
        let parent: Node?
        fileprivate var nodes: [ScopeKey: Node] = [:]
        /// Until when it is known which of its children have left. The owner's, once it is in the tree.
        @exclusivity(unchecked) @usableFromInline var mark: DepartureMark
        fileprivate var streams: [ObjectIdentifier: WeakStream] = [:]

        fileprivate init(_ tree: ScopeTree, key: ScopeKey?, parent: Node?, mark: DepartureMark = DepartureMark()) {
            (self.tree, self.key, self.parent, self.mark) = (tree, key, parent, mark)
        }
    }

    private let guarded = Lock(())
    private let live = Atomic<Int>(0)
    @exclusivity(unchecked) private var departing: [Node] = []
    private(set) lazy var root = Node(self, key: nil, parent: nil)

    init() { _ = root }

    /// The root, if any stream of a child is live.
    @usableFromInline var liveRoot: Node? { live.load(ordering: .relaxed) == 0 ? nil : root }

    // MARK: Streams

    /// Adds a stream to a child.
    ///
    /// - Returns: The child's node.
    func add(_ stream: any ScopedStream, by way: [ScopeStep], under parent: Node) -> Node {
        live.add(1, ordering: .relaxed)
        return guarded.withLock { _ in
            var node = parent
            for step in way {
                if let next = node.nodes[step.key] {
                    node = next
                } else {
                    let next = Node(self, key: step.key, parent: node, mark: step.mark)
                    node.nodes[step.key] = next
                    node = next
                }
            }
            node.streams[ObjectIdentifier(stream)] = WeakStream(stream: stream)
            return node
        }
    }

    /// Takes out a stream of which nothing is left, not even effects that wait in the mailbox; and its child if that has no
    /// other.
    func remove(_ stream: ObjectIdentifier, from node: Node) {
        let removed = guarded.withLock { _ in
            let removed = node.streams.removeValue(forKey: stream)
            var node = node
            while node.streams.isEmpty, node.nodes.isEmpty, let parent = node.parent, let key = node.key {
                if parent.nodes[key] === node { parent.nodes[key] = nil }
                node = parent
            }
            return removed
        }
        if removed != nil { live.subtract(1, ordering: .relaxed) }
    }

    fileprivate func child(_ key: ScopeKey, of node: Node) -> Node? { guarded.withLock { _ in node.nodes[key] } }

    fileprivate func children(of node: Node) -> [(ScopeKey, Node)] {
        guarded.withLock { _ in node.nodes.map { ($0.key, $0.value) } }
    }

    // MARK: Leaving

    fileprivate func noteDeparture(of node: Node) { departing.append(node) }

    /// Ends the streams of those that have left. The owner's to call, when an effect has been folded in.
    @usableFromInline
    func bidFarewell() {
        while let node = departing.popLast() {
            var streams: [WeakStream] = []
            guarded.withLock { _ in
                if let parent = node.parent, let key = node.key, parent.nodes[key] === node {
                    parent.nodes[key] = nil
                }
                var nodes = [node]
                while let node = nodes.popLast() {
                    streams += node.streams.values
                    node.streams = [:]
                    nodes += node.nodes.values
                    node.nodes = [:]
                }
            }
            live.subtract(streams.count, ordering: .relaxed)
            for stream in streams { stream.stream?.childHasLeft() }
        }
    }

    /// The effect that they left by was refused: they have not left.
    @usableFromInline
    func forgetDepartures() { departing = [] }
}

@usableFromInline typealias ScopeNode = ScopeTree.Node

extension ScopeTree.Node {
    /// A child that has effects in flight.
    @usableFromInline
    func child(_ key: ScopeKey) -> ScopeNode? { tree.child(key, of: self) }

    /// The children of one scope that have effects in flight.
    @usableFromInline var children: [(ScopeKey, ScopeNode)] { tree.children(of: self) }

    /// All children but one have left.
    @usableFromInline
    func leaveAll(but key: ScopeKey) { for (other, node) in children where other != key { node.leave() } }

    /// The child has left.
    @usableFromInline
    func leave() { tree.noteDeparture(of: self) }
}

/// A stream that is in the tree for as long as anybody else holds it: its upstream, or an effect that waits.
private struct WeakStream {
    weak var stream: (any ScopedStream)?
}

/// Effects in flight of a child.
protocol ScopedStream: AnyObject, Sendable {
    /// Ends it: its child has left.
    func childHasLeft()
}

/// Which child of its parent something is.
@usableFromInline
struct ScopeKey: Hashable, Sendable {
    /// The number of the scope: no two that are made have the same.
    let scope: Int
    /// The child's id, if it is one of many.
    @usableFromInline let id: JobID?
}

/// A step on the way to a child.
@usableFromInline
struct ScopeStep: Sendable {
    let key: ScopeKey
    /// Until when it was known who had left, when the child was asked.
    var mark = DepartureMark()
}

/// A child that has been asked for effects.
@usableFromInline
struct ScopedChild: Sendable {
    let scope: Scope
    let id: JobID?
    private let mark: DepartureMark

    /// - Parameters:
    ///   - id: The child's id, if it has one.
    ///   - mark: Until when it is known which of its siblings have left.
    @usableFromInline
    init(_ scope: Scope, _ id: JobID? = nil, mark: DepartureMark = DepartureMark()) {
        (self.scope, self.id, self.mark) = (scope, id, mark)
    }

    var way: [ScopeStep] {
        [ScopeStep(key: scope.key, mark: mark)] + (id.map { [ScopeStep(key: scope.key($0))] } ?? [])
    }
}

/// A place for a child, as declared: what it is called, and where in the source that is.
@usableFromInline
final class Scope: Sendable {
    private static let count = Atomic<Int>(0)

    let number: Int
    let name: String
    let file: String
    let line: Int

    @usableFromInline
    init<Part>(_ name: String?, of part: Part.Type, file: String, line: Int) {
        number = Self.count.add(1, ordering: .relaxed).newValue
        self.name = name ?? "\(Part.self)#\(number)"
        (self.file, self.line) = (file, line)
    }

    @usableFromInline var key: ScopeKey { ScopeKey(scope: number, id: nil) }

    @usableFromInline
    func key(_ id: JobID) -> ScopeKey { ScopeKey(scope: number, id: id) }

    func element(_ id: JobID?) -> ScopePath.Element { .init(name, id: id) }

    /// Runs something in a child: what it refuses has happened there.
    @inlinable
    func locating<Result>(
        _ id: @autoclosure () -> JobID? = nil, _ body: () throws -> Result
    ) throws -> Result {
        do { return try body() } catch { throw located(error, id()) }
    }

    @usableFromInline
    func located(_ error: any Error, _ id: JobID?) -> any Error {
        guard let rejection = error as? Rejection else { return error }
        return rejection.located(in: element(id))
    }

    /// What is thrown at an event for a child that is not there.
    @usableFromInline
    func absence(_ id: JobID?) -> Rejection {
        Rejection(.absentChild, "there is no such child", path: ScopePath([element(id)]), file: file, line: line)
    }
}
