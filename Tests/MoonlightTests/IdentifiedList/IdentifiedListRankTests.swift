import MoonlightTestSupport
import Testing

@testable import Moonlight

@Suite("Ranks of elements in an identified list")
struct IdentifiedListRankTests {
    private typealias List = IdentifiedList<Int, Int>
    private let gap = List.gap

    /// A list of the numbers from 0 on, at certain ranks.
    private func made(_ ranks: [Int]) -> List {
        var list = List()
        for (number, rank) in ranks.enumerated() {
            list.entries.insert(.init(id: number, element: number), at: rank)
            list.ranks.set(rank, of: number)
        }
        return list
    }

    private func ranks(of list: List) -> [Int] { list.indices.map { list.rank(at: $0) } }

    @Test("Ranks after the last element are available as long as they fit into an Int")
    func above() {
        let last = Int.max - 4 * gap
        let room = made([last, last + 1, last + 2]).room(for: 1..<3)
        expectEqual(room?.start, last + gap)
        expectEqual(room?.step, gap)
        expect(made([last + 1, last + 2, last + 3]).room(for: 1..<3) == nil)
    }

    @Test("Ranks before the first element are available as long as they fit into an Int")
    func below() {
        let first = Int.min + 4 * gap
        let room = made([first - 2, first - 1, first]).room(for: 0..<2)
        expectEqual(room?.start, first - 3 * gap)
        expectEqual(room?.step, gap)
        expect(made([first - 3, first - 2, first - 1]).room(for: 0..<2) == nil)
    }

    @Test("Ranks between two elements are available if the step is no less than the small gap")
    func between() {
        let enough = 3 * (List.smallGap + 1)
        let room = made([0, 1, enough]).room(for: 1..<2)
        expectEqual(room?.start, List.smallGap)
        expectEqual(room?.step, List.smallGap)
        expect(made([0, 1, enough - 1]).room(for: 1..<2) == nil)
    }

    @Test("Insertions at the limits of Int renumber no more neighbors than necessary", arguments: [5, 20])
    func ends(crowd: Int) {
        for isAtEnd in [false, true] {
            let far = (0..<10).map { $0 * gap }
            let crowded = (0..<crowd).map { isAtEnd ? Int.max - crowd + 1 + $0 : Int.min + $0 }
            var list = made(isAtEnd ? far + crowded : crowded + far)
            var model = Array(list)
            for number in 100..<140 {
                list.insert(number, id: number, at: isAtEnd ? list.count : 0)
                model.insert(number, at: isAtEnd ? model.count : 0)
            }
            expectEqual(Array(list), model)
            let after = ranks(of: list)
            expectEqual(after, after.sorted())
            expect(model.allSatisfy { list.rank(of: $0) == after[model.firstIndex(of: $0) ?? 0] })
            if crowd < 8 { expect(isAtEnd ? after.prefix(3) == far.prefix(3) : after.suffix(3) == far.suffix(3)) }
        }
    }

    @Test("A rank at an end is one gap away from its neighbor, as long as it fits into an Int")
    func ends() {
        expectEqual(made([]).freeRank(at: 0), 0)
        expectEqual(made([7]).freeRank(at: 1), 7 + gap)
        expectEqual(made([7]).freeRank(at: 0), 7 - gap)
        expectEqual(made([0, .max - gap]).freeRank(at: 2), .max)
        expect(made([0, .max - gap + 1]).freeRank(at: 2) == nil)
        expectEqual(made([.min + gap, 0]).freeRank(at: 0), .min)
        expect(made([.min + gap - 1, 0]).freeRank(at: 0) == nil)
    }

    @Test("An insertion among crowded neighbors doubles the number of renumbered elements until there is room")
    func crowded() {
        let crowd = 15..<25
        var list = made((0..<40).map { crowd.contains($0) ? crowd.lowerBound * gap + $0 : $0 * gap })
        let before = ranks(of: list)
        list.insert(100, id: 100, at: 20)
        expectEqual(Array(list), Array(0..<20) + [100] + Array(20..<40))
        expectEqual((0..<40).filter { list.rank(of: $0) != before[$0] }, Array(12..<28))
        expectEqual(ranks(of: list), ranks(of: list).sorted())
    }

    @Test("A rank between two others lies between them even if their sum or difference overflows")
    func middle() {
        expectEqual(made([.max - 4, .max - 2]).freeRank(at: 1), .max - 3)
        expectEqual(made([.min + 2, .min + 4]).freeRank(at: 1), .min + 3)
        expectEqual(made([.min, .max]).freeRank(at: 1), -1)
        expectEqual(made([3, 5]).freeRank(at: 1), 4)
        expectEqual(made([-5, -3]).freeRank(at: 1), -4)
        expect(made([3, 4]).freeRank(at: 1) == nil)
    }
}
