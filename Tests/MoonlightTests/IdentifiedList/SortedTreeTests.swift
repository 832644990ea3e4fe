import MoonlightTestSupport
import Testing

@testable import IdentifiedLists

extension SortedTree {
    /// Returns the number of nodes from the root to a leaf. Records violated invariants.
    fileprivate func check() -> Int {
        let width = 8
        func check(_ node: Node, from lower: Int?, below upper: Int?) -> Int {
            expectEqual(node.keys, node.keys.sorted())
            expectEqual(node.isLeaf, node.children.isEmpty)
            // The first bound of a node may be lower than its first element.
            if let lower { expect(node.keys.dropFirst(node.isLeaf ? 0 : 1).allSatisfy { $0 >= lower }) }
            if let upper { expect(node.keys.allSatisfy { $0 < upper }) }
            if node.isLeaf {
                expect(node.keys.count == node.values.count && node.values.count == node.count && node.count <= 4)
                return 1
            }
            expect(node.values.isEmpty && node.keys.count == node.children.count && node.children.count <= width)
            expectEqual(node.children.reduce(0) { $0 + $1.count }, node.count)
            expect(node.children.allSatisfy { $0.count > 0 })
            let depths = node.children.indices.map { index in
                let next = index + 1 < node.keys.count ? node.keys[index + 1] : upper
                return check(node.children[index], from: index == 0 ? lower : node.keys[index], below: next)
            }
            expectEqual(Set(depths).count, 1)
            return 1 + (depths.first ?? 0)
        }
        return check(root, from: nil, below: nil)
    }

    fileprivate init(_ keys: some Sequence<Int>) where Value == Int {
        self.init()
        for key in keys { insert(key, at: key) }
    }
}

@Suite("Sorted tree")
struct SortedTreeTests {
    private func shuffled(_ count: Int, seed: Int) -> [Int] {
        var dice = Dice(seed: seed)
        return Array(0..<count).shuffled(using: &dice)
    }

    @Test("A tree satisfies its invariants after any insertions and removals", arguments: Budget.seeds(3))
    func shape(seed: Int) {
        let count: Int = Budget.size(1500, quick: 500)
        var tree = SortedTree<Int>()
        for (index, key) in shuffled(count, seed: seed).enumerated() {
            tree.insert(key, at: key)
            if index % 50 == 0 { _ = tree.check() }
        }
        expectEqual(tree.all, Array(0..<count))
        var left = Set(0..<count)
        for (index, key) in shuffled(count, seed: seed + 10).enumerated() {
            let removed = tree.remove(key)
            expectEqual(removed, key)
            left.remove(key)
            if index % 50 == 0 || left.count < 40 {
                _ = tree.check()
                expectEqual(tree.all, left.sorted())
                expectEqual(tree.count, left.count)
                for position in stride(from: 0, to: left.count, by: 7) {
                    let found = tree.find(position: position)
                    expectEqual(tree.position(of: found.leaf.keys[found.place]), position)
                }
            }
        }
        expectEqual(tree.check(), 1)
    }

    @Test("Older versions of a tree do not change when newer ones do")
    func versions() {
        var tree = SortedTree<Int>(0..<300)
        var versions = [tree]
        for key in shuffled(300, seed: 5) {
            _ = tree.remove(key)
            versions.append(tree)
        }
        for (index, version) in versions.enumerated() {
            expect(version.count == 300 - index && version.all.count == 300 - index)
        }
        expectEqual(versions[0].all, Array(0..<300))
        for key in 0..<300 {
            let before = tree
            tree.insert(key, at: key)
            expectEqual(before.count, key)
        }
        var updated = tree
        for key in 0..<300 { updated.update(key) { $0 += 1000 } }
        expectEqual(tree.all, Array(0..<300))
        expectEqual(updated.all, Array(1000..<1300))
    }

    @Test("A tree that grows at its end has full nodes, and minimal depth", arguments: [4, 5, 32, 33, 256, 257, 2048])
    func growth(count: Int) {
        let depth = SortedTree(0..<count).check()
        var (needed, room) = (1, 4)
        while room < count { (needed, room) = (needed + 1, room * 8) }
        expectEqual(depth, needed)
    }

    @Test("A tree after many removals is no deeper than one of half-full nodes")
    func shrinking() {
        for stay in [0, 3, 7] {
            var tree = SortedTree(0..<4096)
            for key in 0..<4096 where key % 512 != stay { _ = tree.remove(key) }
            expectEqual(tree.all, stride(from: stay, to: 4096, by: 512).map { $0 })
            expect(tree.check() <= 3)
        }
    }

    @Test("A full node is split in its middle, or before a value that was inserted at its end")
    func splitting() {
        var leaf = SortedTree([0, 10, 20, 30])
        leaf.insert(5, at: 5)
        expectEqual(leaf.root.children.map(\.keys), [[0, 5], [10, 20, 30]])
        var atEnd = SortedTree([0, 10, 20, 30])
        atEnd.insert(40, at: 40)
        expectEqual(atEnd.root.children.map(\.keys), [[0, 10, 20, 30], [40]])
        var inner = SortedTree(stride(from: 0, to: 320, by: 10))
        expectEqual(inner.root.children.count, 8)
        inner.insert(5, at: 5)
        expectEqual(inner.root.children.map(\.children.count), [4, 5])
    }

    /// A tree whose root has inner nodes with the given numbers of full leaves.
    private func tree(_ leaves: [Int]) -> SortedTree<Int> {
        var tree = SortedTree(0..<leaves.count * 32)
        for (node, count) in leaves.enumerated() {
            for key in node * 32 + count * 4..<(node + 1) * 32 { _ = tree.remove(key) }
        }
        return tree
    }

    @Test(
        "An inner node with one child is merged with its left neighbor, or else its right one, if both fit into one node",
        arguments: [
            ([6, 2], nil, [6, 2]), ([6, 2], 1, [7]), ([7, 2], 1, [8]), ([8, 2], 1, [8, 1]),
            ([2, 6], 0, [7]), ([2, 7], 0, [8]), ([2, 8], 0, [1, 8]),
            ([2, 3, 2], 2, [2, 4]), ([3, 2, 4], 1, [4, 4]), ([8, 2, 4], 1, [8, 5]), ([2, 3, 4], 0, [4, 4]),
        ] as [([Int], Int?, [Int])])
    func joining(leaves: [Int], node: Int?, joined: [Int]) {
        var tree = tree(leaves)
        if let node { for key in node * 32 + 4..<node * 32 + 8 { _ = tree.remove(key) } }
        let isOneNode = joined.count == 1
        expect(tree.check() == (isOneNode ? 2 : 3))
        expectEqual((isOneNode ? [tree.root] : tree.root.children).map(\.children.count), joined)
    }

    @Test("Looking up a key and a position finds the same value, and an absent key returns nil")
    func finding() {
        let tree = SortedTree(stride(from: 0, to: 1000, by: 2))
        for key in 0..<1000 {
            expect(tree.value(key) == (key % 2 == 0 ? key : nil))
            expect((tree.find(key) == nil) == (key % 2 == 1))
            expectEqual(tree.position(of: key), (key + 1) / 2)
        }
        expect(tree.value(-1) == nil)
        expect(tree.value(1000) == nil)
        expectEqual(tree.position(of: -1), 0)
        expectEqual(tree.position(of: 5000), 500)
        for position in 0..<500 {
            let (leaf, place) = tree.find(position: position)
            expectEqual(leaf.values[place], position * 2)
        }
    }

    @Test("Updating an absent key changes nothing and returns nil")
    func noUpdate() {
        var tree = SortedTree(0..<50)
        let above: Void? = tree.update(50) { $0 = 0 }
        let below: Void? = tree.update(-1) { $0 = 0 }
        expect(above == nil)
        expect(below == nil)
        let answer = tree.update(7) { (value: inout Int) -> String in
            value = 70
            return "done"
        }
        expectEqual(answer, "done")
        expectEqual(tree.all, Array(0..<7) + [70] + Array(8..<50))
    }

    @Test("Visiting the differences from another version visits the changed value and few others")
    func sharing() {
        let before = SortedTree(0..<1000)
        for key in [0, 500, 999] {
            var after = before
            after.update(key) { $0 = -1 }
            var seen: [Int] = []
            after.visit(notSharedWith: before) { seen.append($0) }
            expect(seen.contains(-1))
            expect(seen.count <= 4)
        }
        var seen = 0
        before.visit(notSharedWith: before) { _ in seen += 1 }
        expectEqual(seen, 0)
        before.visit(notSharedWith: SortedTree()) { _ in seen += 1 }
        expectEqual(seen, 1000)
    }

    @Test("Trees are equal if their values are, for any keys and shapes")
    func equality() {
        let (ascending, descending) = (SortedTree(0..<200), SortedTree((0..<200).reversed()))
        expect(ascending == descending)
        var spread = SortedTree<Int>()
        for value in 0..<200 { spread.insert(value, at: value * 7) }
        expect(ascending == spread)
        for key in [0, 100, 199] {
            var other = descending
            other.update(key) { $0 = -1 }
            expect(!(ascending == other))
            var same = ascending
            same.update(key) { $0 = -1 }
            expect(!(ascending == same))
            expect(other == same)
        }
        expect(!(ascending == SortedTree(0..<199)))
        expect(SortedTree<Int>() == SortedTree<Int>())
    }

    @Test("Removing an absent key and finding a position out of bounds trap")
    func mistakes() async {
        await #expect(processExitsWith: .failure) {
            var tree = SortedTree(stride(from: 0, to: 20, by: 2))
            _ = tree.remove(5)
        }
        await #expect(processExitsWith: .failure) {
            var tree = SortedTree(stride(from: 0, to: 20, by: 2))
            _ = tree.remove(30)
        }
        await #expect(processExitsWith: .failure) { _ = SortedTree(0..<20).find(position: 20) }
        await #expect(processExitsWith: .failure) { _ = SortedTree(0..<20).find(position: -1) }
    }

    @Test("An empty tree contains no key, nor does one whose last key was removed")
    func empty() {
        var tree = SortedTree<Int>()
        expect(tree.value(0) == nil)
        tree.insert(1, at: 1)
        expectEqual(tree.remove(1), 1)
        expect(tree.value(1) == nil)
        expectEqual(tree.all, [])
    }
}
