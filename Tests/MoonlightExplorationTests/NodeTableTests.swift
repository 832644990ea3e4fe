import Moonlight
import MoonlightTestSupport
import Testing

@testable import MoonlightExploration

/// A state whose hash omits one of its fields, which is legal.
private struct Weak: Hashable {
    var place = 0
    var weight = 0
    func hash(into hasher: inout Hasher) { hasher.combine(place) }
}

@Suite("Exploration: the table of nodes")
struct NodeTableTests {
    private func number(_ entry: NodeTable<Int>.Entry?) -> (isNew: Bool, Int)? {
        switch entry {
        case .new(let number): (true, number)
        case .known(let number): (false, number)
        case .indistinct, .unequal, nil: nil
        }
    }

    @Test("A node that was added is found by its fingerprint")
    func found() {
        let table = NodeTable<Int>(mostWhole: 0, isSame: ==)
        expect(number(table.add(1, print: 7, parent: 0, choice: 0, most: 9))! == (true, 0))
        expect(number(table.add(2, print: 8, parent: 0, choice: 0, most: 9))! == (true, 1))
        expect(number(table.add(1, print: 7, parent: 1, choice: 0, most: 9))! == (false, 0))
        expect(table.chanceOfMiss > 0)
    }

    @Test(
        "After a collision among nodes that are compared as a whole, the table compares all nodes as a whole"
    )
    func whole() {
        let table = NodeTable<Int>(mostWhole: 3, isSame: ==)
        expect(number(table.add(1, print: 7, parent: 0, choice: 0, most: 99))! == (true, 0))
        expect(number(table.add(2, print: 7, parent: 0, choice: 0, most: 99))! == (true, 1))
        for other in 3..<40 { expect(number(table.add(other, print: 7, parent: 0, choice: 0, most: 99))! == (true, other - 1)) }
        expect(number(table.add(39, print: 7, parent: 0, choice: 0, most: 99))! == (false, 38))
        expectEqual(table.chanceOfMiss, 0)
    }

    @Test("A collision of fingerprints is reported if it is too late to compare all nodes as a whole")
    func indistinct() {
        let table = NodeTable<Int>(mostWhole: 1, isSame: ==)
        _ = table.add(1, print: 7, parent: 0, choice: 0, most: 9)
        _ = table.add(2, print: 8, parent: 0, choice: 0, most: 9)
        guard case .indistinct = table.add(3, print: 7, parent: 0, choice: 0, most: 9) else {
            Issue.record("3 was taken for 1")
            return
        }
    }

    @Test("A table that is full takes no new node, but finds the others")
    func full() {
        let table = NodeTable<Int>(mostWhole: 0, isSame: ==)
        _ = table.add(1, print: 7, parent: 0, choice: 0, most: 1)
        expect(number(table.add(2, print: 8, parent: 0, choice: 0, most: 1)) == nil)
        expect(number(table.add(1, print: 7, parent: 0, choice: 0, most: 1))! == (false, 0))
    }

    @Test("States whose hash omits a field are still distinguished")
    func weakHash() throws {
        let reducer = Reducer<Weak, Int, Int, Void>(
            transform: { _, event, _ in .just(event) },
            apply: { (state: inout Weak, event: Int) in
                if event == 0 { state.place = (state.place + 1) % 3 } else { state.weight = (state.weight + 1) % 4 }
            })
        let report = try Exploration(reducer, given: Weak()) { _ in }.events([0, 1]).run()
        expectEqual(report.nodes, 12)
        expectEqual(report.chanceOfMiss, 0)
    }

    @Test("A verdict gives the probability of a missed node, unless all nodes are compared as a whole")
    func chance() throws {
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in .just(event) },
            apply: { (state: inout Int, event: Int) in state = (state + event) % 2_000 })
        var exploration = Exploration(reducer, given: 0) { _ in }.events([1, 50])
        try expectEqual(exploration.run().chanceOfMiss, 0)
        exploration.limits.mostWhole = 100
        let report = try exploration.run()
        expectEqual(report.states, 2_000)
        expectEqual(report.chanceOfMiss, 2_000 * 1_999 / 0x1p65)
        expect(report.description.contains("with a chance of 1.1e-13 that a node was missed"))
        try expectEqual(exploration.withoutFingerprints().run().chanceOfMiss, 0)
    }

    @Test("A fingerprint of zero is counted once, like any other, even after the set has grown")
    func countsZeroOnce() {
        var set = PrintSet()
        for _ in 0..<3 { set.insert(0) }
        expectEqual(set.count, 1)
        for print in 1...2000 { set.insert(UInt64(print)) }
        for print in 0...2000 { set.insert(UInt64(print)) }
        expectEqual(set.count, 2001)
    }
}
