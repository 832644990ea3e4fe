import MoonlightTestSupport
import Testing

@testable import IdentifiedLists

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

    @Test("Insertions at the limits of Int renumber the elements, which keep their order", arguments: [false, true])
    func ends(isAtEnd: Bool) {
        let far = (0..<10).map { $0 * gap }
        let crowded = (0..<5).map { isAtEnd ? Int.max - 4 + $0 : Int.min + $0 }
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
    }

    @Test("Insertions at the same place renumber the elements when there is no rank left, which takes thirty of them")
    func samePlace() {
        var list = made((0..<10).map { $0 * gap })
        var model = Array(list)
        for number in 100..<200 {
            list.insert(number, id: number, at: 5)
            model.insert(number, at: 5)
            if number == 129 { expectEqual(list.rank(of: 9), 9 * gap) }
        }
        expectEqual(Array(list), model)
        expectEqual(ranks(of: list), ranks(of: list).sorted())
        expect(list.rank(of: 9) ?? 0 > 100 * gap)
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
