import Streams

/// The location of a child's state in the state of its parent.
@usableFromInline
protocol ChildPlace<Whole, Part> {
    associatedtype Whole
    associatedtype Part
    /// The id that events and effects carry, if the child is one of many; otherwise `Void`.
    associatedtype Key: Sendable

    /// True if the child can be removed.
    static var mayLeave: Bool { get }

    /// True if the child is stored in the parent, so that the parent differs if the child does.
    var isStored: Bool { get }

    /// Calls `body` with the child's state.
    ///
    /// - Parameters:
    ///   - changing: Whether `body` may change the state.
    ///   - key: The id that the event or the effect carries.
    ///   - whole: The parent's state.
    ///   - body: Receives the child's state.
    /// - Returns: The result of `body`; nil if the child is absent.
    func use<Result>(
        changing: Bool, _ key: Key, of whole: UnsafeMutablePointer<Whole>,
        _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result?

    /// Removes the child. By default, does nothing: a property is always there, and an enum always in some case.
    func remove(_ key: Key, from whole: UnsafeMutablePointer<Whole>)

    /// Returns the id by which a child is distinguished from others and from one that replaces it; nil if it has none.
    ///
    /// - Parameters:
    ///   - key: The id that the event or the effect carries.
    ///   - child: The child; nil if it is absent, or if only the id that the key contains is wanted.
    func id(_ key: Key, of child: UnsafeMutablePointer<Part>?) -> AnyID?

    /// The version of the collection that contains the child; nil if it has none.
    func version(of whole: UnsafeMutablePointer<Whole>) -> UInt64?

    /// Notes in the tree of scopes the children that have been removed.
    ///
    /// - Parameters:
    ///   - whole: The parent's state after the change.
    ///   - scope: The scope of the child.
    ///   - node: The node of that scope.
    ///   - isEqual: Whether the state equals the one before, so that no child is absent.
    ///   - inner: Does the same for the children of a child; nil if it has none.
    func prune(
        _ whole: UnsafeMutablePointer<Whole>, _ scope: Scope, _ node: ScopeNode, isEqual: Bool,
        _ inner: ((UnsafeMutablePointer<Part>, ScopeNode) -> Void)?)
}

extension ChildPlace {
    @inlinable static var mayLeave: Bool { true }

    @inlinable var isStored: Bool { true }

    @inlinable
    func remove(_ key: Key, from whole: UnsafeMutablePointer<Whole>) {}

    @inlinable
    func id(_ key: Key, of child: UnsafeMutablePointer<Part>?) -> AnyID? { nil }

    @inlinable
    func version(of whole: UnsafeMutablePointer<Whole>) -> UInt64? { nil }

    // Not inlined: an id is an existential, which costs even if it is nil, and most children have no effects in flight.

    /// Returns the node of a child; nil if it has no effects in flight.
    ///
    /// - Parameters:
    ///   - key: The id that the effect carries.
    ///   - child: The child's state.
    ///   - scope: The scope of the child.
    ///   - node: The node of that scope.
    @inlinable @inline(never)
    func node(_ key: Key, of child: UnsafeMutablePointer<Part>, _ scope: Scope, in node: ScopeNode) -> ScopeNode? {
        guard let id = id(key, of: child) else { return node }
        return node.child(scope.key(id))
    }

    /// Notes that a child has been removed, if its state now has another id.
    @inlinable @inline(never)
    func leave(_ node: ScopeNode, ifReplacedBy child: UnsafeMutablePointer<Part>, _ key: Key) {
        if id(key, of: child) != node.id { node.leave() }
    }
}

extension ChildPlace where Key == Void {
    @inlinable
    func prune(
        _ whole: UnsafeMutablePointer<Whole>, _ scope: Scope, _ node: ScopeNode, isEqual: Bool,
        _ inner: ((UnsafeMutablePointer<Part>, ScopeNode) -> Void)?
    ) {
        let isThere: Void? = use(changing: false, (), of: whole) { state in
            var child = Optional(node)
            if let id = self.id((), of: state) {
                let key = scope.key(id)
                child = node.child(key)
                node.leaveAll(but: key)
            }
            if let child { inner?(state, child) }
        }
        if isThere == nil { node.leave() }
    }
}

/// A property.
///
/// A stored property is accessed in place by its offset, at the cost of one addition, for any size of the whole. Any other part
/// is accessed through its key path, which copies it.
@usableFromInline
struct Place<Whole, Part>: @unchecked Sendable {
    // Sound: `init` accepts only Sendable key paths, which the type of a stored property in a generic type cannot express.
    @usableFromInline let keyPath: WritableKeyPath<Whole, Part>
    /// The offset of the part from the start of the whole, in bytes; nil if the part is not stored in the whole directly.
    @usableFromInline let offset: Int?

    @usableFromInline
    init(_ keyPath: WritableKeyPath<Whole, Part> & Sendable) {
        self.keyPath = keyPath
        offset = MemoryLayout<Whole>.offset(of: keyPath)
    }

    @inlinable @inline(__always)
    func use<Result>(
        changing: Bool, _ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result {
        // If there is an offset, the language guarantees that the part is stored there.
        if let offset { return try body((UnsafeMutableRawPointer(whole) + offset).assumingMemoryBound(to: Part.self)) }
        if changing { return try withUnsafeMutablePointer(to: &whole.pointee[keyPath: keyPath], body) }
        var part = whole.pointee[keyPath: keyPath]
        return try withUnsafeMutablePointer(to: &part, body)
    }
}

extension Place: ChildPlace {
    @inlinable static var mayLeave: Bool { false }

    @inlinable var isStored: Bool { offset != nil }

    @inlinable @inline(__always)
    func use<Result>(
        changing: Bool, _ key: Void, of whole: UnsafeMutablePointer<Whole>,
        _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result? { try use(changing: changing, whole, body) }
}

/// An optional property.
@usableFromInline
struct OptionalPlace<Whole, Part>: ChildPlace {
    @usableFromInline let place: Place<Whole, Part?>
    /// Returns the child's id; nil if children have none.
    @usableFromInline let identify: ((Part) -> AnyID)?

    @inlinable
    init(place: Place<Whole, Part?>, identify: ((Part) -> AnyID)?) {
        self.place = place
        self.identify = identify
    }

    @inlinable var isStored: Bool { place.isStored }

    @inlinable
    func use<Result>(
        changing: Bool, _ key: Void, of whole: UnsafeMutablePointer<Whole>,
        _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result? {
        try place.use(changing: changing, whole) { part in
            guard part.pointee != nil else { return nil }
            return try withUnsafeMutablePointer(to: &part.pointee!, body)
        }
    }

    @inlinable
    func remove(_ key: Void, from whole: UnsafeMutablePointer<Whole>) { place.use(changing: true, whole) { $0.pointee = nil } }

    @inlinable
    func id(_ key: Void, of child: UnsafeMutablePointer<Part>?) -> AnyID? { child.flatMap { identify?($0.pointee) } }
}

/// A case of an enum.
@usableFromInline
struct CasePlace<Whole, Part>: ChildPlace {
    @usableFromInline let prism: CasePath<Whole, Part>

    @inlinable
    init(prism: CasePath<Whole, Part>) { self.prism = prism }

    @inlinable
    func use<Result>(
        changing: Bool, _ key: Void, of whole: UnsafeMutablePointer<Whole>,
        _ body: (UnsafeMutablePointer<Part>) throws -> Result
    ) rethrows -> Result? {
        guard var part = prism.extract(whole.pointee) else { return nil }
        let result = try withUnsafeMutablePointer(to: &part, body)
        if changing { whole.pointee = prism.embed(part) }
        return result
    }
}

/// A collection of children by id.
@usableFromInline
struct EachPlace<Whole, Children: ChildCollection>: ChildPlace where Children.ID: Sendable {
    @usableFromInline let place: Place<Whole, Children>

    @inlinable
    init(place: Place<Whole, Children>) { self.place = place }

    @inlinable var isStored: Bool { place.isStored }

    @inlinable
    func use<Result>(
        changing: Bool, _ id: Children.ID, of whole: UnsafeMutablePointer<Whole>,
        _ body: (UnsafeMutablePointer<Children.Child>) throws -> Result
    ) rethrows -> Result? {
        if changing {
            return try place.use(changing: true, whole) { children in
                try children.pointee.update(id: id) { try withUnsafeMutablePointer(to: &$0, body) }
            }
        }
        guard var child = place.use(changing: false, whole, { $0.pointee[id: id] }) else { return nil }
        return try withUnsafeMutablePointer(to: &child, body)
    }

    @inlinable
    func remove(_ id: Children.ID, from whole: UnsafeMutablePointer<Whole>) {
        place.use(changing: true, whole) { discard($0.pointee.remove(id: id)) }
    }

    @inlinable
    func id(_ key: Children.ID, of child: UnsafeMutablePointer<Children.Child>?) -> AnyID? { AnyID(key) }

    @inlinable
    func version(of whole: UnsafeMutablePointer<Whole>) -> UInt64? { place.use(changing: false, whole) { $0.pointee.version } }

    @inlinable
    func prune(
        _ whole: UnsafeMutablePointer<Whole>, _ scope: Scope, _ node: ScopeNode, isEqual: Bool,
        _ inner: ((UnsafeMutablePointer<Children.Child>, ScopeNode) -> Void)?
    ) {
        place.use(changing: false, whole) { children in
            let gone = node.movingMark { children.pointee._departures(since: &$0) }
            for id in gone ?? [] { node.child(scope.key(AnyID(id)))?.leave() }
            // The children in flight are only looked up if the removals are unknown, or if children have children of their own.
            if inner == nil, gone != nil || isEqual { return }
            for (key, childNode) in node.children {
                guard let id = key.id?.base as? Children.ID, var child = children.pointee[id: id] else {
                    childNode.leave()
                    continue
                }
                if let inner { withUnsafeMutablePointer(to: &child) { inner($0, childNode) } }
            }
        }
    }
}

/// Returns the name of the last property of a key path; nil if it has none, like a computed property.
@usableFromInline
func propertyName(of keyPath: AnyKeyPath) -> String? {
    let text = String(describing: keyPath)
    guard let dot = text.lastIndex(of: ".") else { return nil }
    let name = text[text.index(after: dot)...]
    // A computed property has an address in angle brackets here instead of a name.
    return name == "self" || !name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? nil : String(name)
}
