import Testing

@testable import Moonlight

@Suite("An index of ranks")
struct RankIndexTests {
    private func index(_ count: Int) -> RankIndex<Int> {
        var index = RankIndex<Int>()
        for id in 0..<count { index.set(id * 10, of: id) }
        return index
    }

    @Test("each id has its rank, the last that was set; another has none", arguments: [0, 1, 16, 17, 256, 257, 3000])
    func ranks(count: Int) {
        var index = index(count)
        #expect(index.count == count)
        #expect((0..<count).allSatisfy { index[$0] == $0 * 10 })
        #expect(index[count] == nil)
        guard count > 0 else { return }
        index.set(7, of: 0)
        #expect(index[0] == 7)
        #expect(index.count == count)
    }

    @Test("what is removed has no rank, and is counted once")
    func removing() {
        var index = index(100)
        for id in 0..<50 {
            index.remove(id)
            index.remove(id)
        }
        index.remove(1000)
        #expect(index.count == 50)
        #expect((0..<100).map { index[$0] == nil } == (0..<100).map { $0 < 50 })
    }

    @Test("the pieces are quadrupled when there are more than 16 times their square of ids")
    func dividing() {
        #expect([0, 16, 17, 256, 257, 4096, 4097].map { index($0).pieces.count } == [1, 1, 4, 4, 16, 16, 64])
    }

    @Test("removed ids make room for others, before the pieces are divided")
    func room() {
        var index = index(16)
        for id in 0..<16 {
            index.remove(id)
            index.set(0, of: 100 + id)
        }
        #expect(index.pieces.count == 1)
    }

    @Test("the ids are spread over all pieces, so that a change copies few of them")
    func spread() {
        let index = index(4000)
        #expect(index.pieces.count == 16)
        #expect(index.pieces.allSatisfy { (100..<500).contains($0.count) })
        #expect(index.pieces.map(\.count).reduce(0, +) == 4000)
    }
}
