import Testing

@testable import Moonlight

@Suite("The ranks of an identified list's elements")
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

    @Test("there is room behind an element as long as the last new rank is an Int")
    func above() {
        let last = Int.max - 4 * gap
        let room = made([last, last + 1, last + 2]).room(for: 1..<3)
        #expect(room?.start == last + gap)
        #expect(room?.step == gap)
        #expect(made([last + 1, last + 2, last + 3]).room(for: 1..<3) == nil)
    }

    @Test("there is room before an element as long as the first new rank is an Int")
    func below() {
        let first = Int.min + 4 * gap
        let room = made([first - 2, first - 1, first]).room(for: 0..<2)
        #expect(room?.start == first - 3 * gap)
        #expect(room?.step == gap)
        #expect(made([first - 3, first - 2, first - 1]).room(for: 0..<2) == nil)
    }

    @Test("there is room between two elements if the step is no less than the small gap")
    func between() {
        let enough = 3 * (List.smallGap + 1)
        let room = made([0, 1, enough]).room(for: 1..<2)
        #expect(room?.start == List.smallGap)
        #expect(room?.step == List.smallGap)
        #expect(made([0, 1, enough - 1]).room(for: 1..<2) == nil)
    }

    @Test("where the numbers end, no more neighbors are renumbered than need be", arguments: [5, 20])
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
            #expect(Array(list) == model)
            let after = ranks(of: list)
            #expect(after == after.sorted())
            #expect(model.allSatisfy { list.rank(of: $0) == after[model.firstIndex(of: $0) ?? 0] })
            if crowd < 8 { #expect(isAtEnd ? after.prefix(3) == far.prefix(3) : after.suffix(3) == far.suffix(3)) }
        }
    }

    @Test("a rank at an end is a gap away from its neighbor, as long as it is an Int")
    func ends() {
        #expect(made([]).freeRank(at: 0) == 0)
        #expect(made([7]).freeRank(at: 1) == 7 + gap)
        #expect(made([7]).freeRank(at: 0) == 7 - gap)
        #expect(made([0, .max - gap]).freeRank(at: 2) == .max)
        #expect(made([0, .max - gap + 1]).freeRank(at: 2) == nil)
        #expect(made([.min + gap, 0]).freeRank(at: 0) == .min)
        #expect(made([.min + gap - 1, 0]).freeRank(at: 0) == nil)
    }

    @Test("where neighbors are crowded, twice as many are renumbered at a time until there is room, and no others")
    func crowded() {
        let crowd = 15..<25
        var list = made((0..<40).map { crowd.contains($0) ? crowd.lowerBound * gap + $0 : $0 * gap })
        let before = ranks(of: list)
        list.insert(100, id: 100, at: 20)
        #expect(Array(list) == Array(0..<20) + [100] + Array(20..<40))
        #expect((0..<40).filter { list.rank(of: $0) != before[$0] } == Array(12..<28))
        #expect(ranks(of: list) == ranks(of: list).sorted())
    }

    @Test("a rank between two is between them also where their sum or their difference is no Int")
    func middle() {
        #expect(made([.max - 4, .max - 2]).freeRank(at: 1) == .max - 3)
        #expect(made([.min + 2, .min + 4]).freeRank(at: 1) == .min + 3)
        #expect(made([.min, .max]).freeRank(at: 1) == -1)
        #expect(made([3, 5]).freeRank(at: 1) == 4)
        #expect(made([-5, -3]).freeRank(at: 1) == -4)
        #expect(made([3, 4]).freeRank(at: 1) == nil)
    }
}
