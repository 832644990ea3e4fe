/// The rank of each id of a list.
///
/// A dictionary that is split into about √n pieces, so that versions share all pieces but those in which they differ. Changing
/// one of n entries copies O(√n) of them; finding one is O(1).
@usableFromInline
struct RankIndex<ID: Hashable> {
    @usableFromInline var pieces: [[ID: Int]]
    @usableFromInline var count = 0

    @inlinable
    init() { pieces = [[:]] }

    /// Returns the index of the piece that an id belongs to. The number of pieces is a power of two.
    @inlinable
    func place(of id: ID) -> Int { pieces.count == 1 ? 0 : id.hashValue & (pieces.count - 1) }

    @inlinable
    subscript(id: ID) -> Int? { pieces[place(of: id)][id] }

    @inlinable
    mutating func set(_ rank: Int, of id: ID) {
        if pieces[place(of: id)].updateValue(rank, forKey: id) == nil {
            count += 1
            if count > pieces.count * pieces.count * 16 { divide() }
        }
    }

    @inlinable
    mutating func remove(_ id: ID) { if pieces[place(of: id)].removeValue(forKey: id) != nil { count -= 1 } }

    /// Quadruples the number of pieces, so that the number of ids in a piece stays proportional to the number of pieces.
    @inlinable
    mutating func divide() {
        let old = pieces
        pieces = Array(repeating: [:], count: old.count * 4)
        for piece in old { for (id, rank) in piece { pieces[place(of: id)][id] = rank } }
    }
}

extension RankIndex: Sendable where ID: Sendable {}
