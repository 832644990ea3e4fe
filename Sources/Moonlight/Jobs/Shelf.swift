/// Objects by the hash values of their keys, for tables behind a lock whose keys are values of the user's.
///
/// The `hash(into:)`, `==` and destruction of a key are user code, during which no lock may be held. So a key is hashed
/// first. Then the objects with that hash value are read under the lock, and compared outside it. Finally, under the lock
/// again, the change is made if the same objects are still there; otherwise all of it is repeated:
///
///     let hash = key.hashValue
///     while true {
///         let seen = shelf.withLock { $0[hash] }
///         let found = seen.first { $0.key == key }
///         if let result = shelf.withLock({ $0.holds(seen, at: hash) ? change(&$0, found) : nil }) { return result }
///     }
///
/// An object that is removed is returned, to be released outside the lock.
struct Shelf<Object: AnyObject> {
    private var rows: [Int: [Object]] = [:]

    var all: [Object] { rows.values.flatMap { $0 } }

    /// The objects with a hash value, in the order in which they were added.
    subscript(hash: Int) -> [Object] { rows[hash] ?? [] }

    /// Returns whether exactly these objects have a hash value.
    func holds(_ objects: [Object], at hash: Int) -> Bool { self[hash].elementsEqual(objects, by: ===) }

    mutating func add(_ object: Object, at hash: Int) { rows[hash, default: []].append(object) }

    /// Removes an object.
    ///
    /// - Returns: The object, if it was there.
    mutating func remove(_ object: Object, at hash: Int) -> Object? {
        guard let place = rows[hash]?.firstIndex(where: { $0 === object }) else { return nil }
        let removed = rows[hash]?.remove(at: place)
        if rows[hash]?.isEmpty == true { rows[hash] = nil }
        return removed
    }
}
