import MoonlightTestSupport
import Testing

@testable import IdentifiedLists

@Suite("Rank index")
struct RankIndexTests {
    private func index(_ count: Int) -> RankIndex<Int> {
        var index = RankIndex<Int>()
        for id in 0..<count { index.set(id * 10, of: id) }
        return index
    }

    @Test(
        "The rank of an id is the last one that was set, and an unknown id has none", arguments: [0, 1, 16, 17, 256, 257, 3000])
    func ranks(count: Int) {
        var index = index(count)
        expectEqual(index.count, count)
        expect((0..<count).allSatisfy { index[$0] == $0 * 10 })
        expect(index[count] == nil)
        guard count > 0 else { return }
        index.set(7, of: 0)
        expectEqual(index[0], 7)
        expectEqual(index.count, count)
    }

    @Test("A removed id has no rank, and is counted once even if it is removed twice")
    func removing() {
        var index = index(100)
        for id in 0..<50 {
            index.remove(id)
            index.remove(id)
        }
        index.remove(1000)
        expectEqual(index.count, 50)
        expect((0..<100).allSatisfy { (id: Int) -> Bool in (index[id] == nil) == (id < 50) })
    }

    @Test("The number of pieces is quadrupled when there are more ids than 16 times its square")
    func dividing() {
        let counts: [Int] = [0, 16, 17, 256, 257, 4096, 4097]
        let pieces: [Int] = counts.map { (count: Int) -> Int in index(count).pieces.count }
        expectEqual(pieces, [1, 1, 4, 4, 16, 16, 64])
    }

    @Test("Ids that replace removed ones do not split the pieces")
    func room() {
        var index = index(16)
        for id in 0..<16 {
            index.remove(id)
            index.set(0, of: 100 + id)
        }
        expectEqual(index.pieces.count, 1)
    }

    @Test("The ids are distributed over all pieces, so that a change copies few of them")
    func spread() {
        let index = index(4000)
        let counts: [Int] = index.pieces.map(\.count)
        let (few, sum): (Range<Int>, Int) = (100..<500, counts.reduce(0, +))
        expectEqual(counts.count, 16)
        expect(counts.allSatisfy { (count: Int) -> Bool in few.contains(count) })
        expectEqual(sum, 4000)
    }
}
