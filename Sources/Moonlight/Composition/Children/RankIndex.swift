/// Where each id of a list is: its rank.
///
/// A dictionary in about √n pieces, so that versions share all pieces but those in which they differ: to change one of n
/// entries copies O(√n), to find one is O(1).
@usableFromInline
struct RankIndex<ID: Hashable> {
    @usableFromInline var pieces: [[ID: Int]]
    @usableFromInline var count = 0

    @inlinable
    init() { pieces = [[:]] }

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

    /// Four times as many pieces: the number of ids in each stays in step with the number of pieces.
    @inlinable
    mutating func divide() {
        let old = pieces
        pieces = Array(repeating: [:], count: old.count * 4)
        for piece in old { for (id, rank) in piece { pieces[place(of: id)][id] = rank } }
    }
}

extension RankIndex: Sendable where ID: Sendable {}
