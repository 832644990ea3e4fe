/// Objects by the hash values of their keys, for tables behind a lock whose keys are values of the user's.
///
/// `hash(into:)` and `==` of a key are the user's code, and so is its end; no lock is held while that runs. So a key is hashed
/// first. Then what has that hash value is taken from behind the lock, and compared. Then, with the lock held again, the change is
/// made if the same objects are still there, else all begins anew:
///
///     let hash = key.hashValue
///     while true {
///         let seen = shelf.withLock { $0[hash] }
///         let found = seen.first { $0.key == key }
///         if let result = shelf.withLock({ $0.holds(seen, at: hash) ? change(&$0, found) : nil }) { return result }
///     }
///
/// What is taken out is returned, to be let go of outside the lock.
struct Shelf<Object: AnyObject> {
    private var rows: [Int: [Object]] = [:]

    var isEmpty: Bool { rows.isEmpty }
    var all: [Object] { rows.values.flatMap { $0 } }

    /// What has a hash value, in the order in which it came.
    subscript(hash: Int) -> [Object] { rows[hash] ?? [] }

    /// Whether just these have a hash value.
    func holds(_ objects: [Object], at hash: Int) -> Bool { self[hash].elementsEqual(objects, by: ===) }

    mutating func add(_ object: Object, at hash: Int) { rows[hash, default: []].append(object) }

    /// - Returns: The object, if it was there.
    mutating func remove(_ object: Object, at hash: Int) -> Object? {
        guard let place = rows[hash]?.firstIndex(where: { $0 === object }) else { return nil }
        let removed = rows[hash]?.remove(at: place)
        if rows[hash]?.isEmpty == true { rows[hash] = nil }
        return removed
    }
}
