import Testing

@testable import Moonlight

extension SortedTree {
    /// The number of nodes from the root to a leaf. Records what is not as it must be.
    fileprivate func check() -> Int {
        let width = 8
        func check(_ node: Node, from lower: Int?, below upper: Int?) -> Int {
            #expect(node.keys == node.keys.sorted())
            #expect(node.isLeaf == node.children.isEmpty)
            // The first bound of a node may be lower than what is left in it.
            if let lower { #expect(node.keys.dropFirst(node.isLeaf ? 0 : 1).allSatisfy { $0 >= lower }) }
            if let upper { #expect(node.keys.allSatisfy { $0 < upper }) }
            if node.isLeaf {
                #expect(node.keys.count == node.values.count && node.values.count == node.count && node.count <= 4)
                return 1
            }
            #expect(node.values.isEmpty && node.keys.count == node.children.count && node.children.count <= width)
            #expect(node.children.reduce(0) { $0 + $1.count } == node.count)
            #expect(node.children.allSatisfy { $0.count > 0 })
            let depths = node.children.indices.map { index in
                let next = index + 1 < node.keys.count ? node.keys[index + 1] : upper
                return check(node.children[index], from: index == 0 ? lower : node.keys[index], below: next)
            }
            #expect(Set(depths).count == 1)
            return 1 + (depths.first ?? 0)
        }
        return check(root, from: nil, below: nil)
    }

    fileprivate var all: [Value] {
        var all: [Value] = []
        visit {
            all.append($1)
            return true
        }
        return all
    }

    fileprivate init(_ keys: some Sequence<Int>) where Value == Int {
        self.init()
        for key in keys { insert(key, at: key) }
    }
}

@Suite("A sorted tree")
struct SortedTreeTests {
    /// Numbers that look random, and are the same each time.
    private func shuffled(_ count: Int, seed: UInt64) -> [Int] {
        var state = seed
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        var numbers = Array(0..<count)
        for index in numbers.indices.reversed() { numbers.swapAt(index, Int(next() % UInt64(index + 1))) }
        return numbers
    }

    @Test("it keeps its shape and its order, whatever is inserted and removed", arguments: [1, 2, 3] as [UInt64])
    func shape(seed: UInt64) {
        var tree = SortedTree<Int>()
        for (index, key) in shuffled(1500, seed: seed).enumerated() {
            tree.insert(key, at: key)
            if index % 50 == 0 { _ = tree.check() }
        }
        #expect(tree.all == Array(0..<1500))
        var left = Set(0..<1500)
        for (index, key) in shuffled(1500, seed: seed + 10).enumerated() {
            let removed = tree.remove(key)
            #expect(removed == key)
            left.remove(key)
            if index % 50 == 0 || left.count < 40 {
                _ = tree.check()
                #expect(tree.all == left.sorted())
                #expect(tree.count == left.count)
                for position in stride(from: 0, to: left.count, by: 7) {
                    let found = tree.find(position: position)
                    #expect(tree.position(of: found.leaf.keys[found.place]) == position)
                }
            }
        }
        #expect(tree.check() == 1)
    }

    @Test("older versions stay as they were, whatever becomes of newer ones")
    func versions() {
        var tree = SortedTree<Int>(0..<300)
        var versions = [tree]
        for key in shuffled(300, seed: 5) {
            _ = tree.remove(key)
            versions.append(tree)
        }
        for (index, version) in versions.enumerated() {
            #expect(version.count == 300 - index && version.all.count == 300 - index)
        }
        #expect(versions[0].all == Array(0..<300))
        for key in 0..<300 {
            let before = tree
            tree.insert(key, at: key)
            #expect(before.count == key)
        }
        var updated = tree
        for key in 0..<300 { updated.update(key) { $0 += 1000 } }
        #expect(tree.all == Array(0..<300))
        #expect(updated.all == Array(1000..<1300))
    }

    @Test("one that grows at its end has full nodes, and is as deep as it has to be", arguments: [4, 5, 32, 33, 256, 257, 2048])
    func growth(count: Int) {
        let depth = SortedTree(0..<count).check()
        var (needed, room) = (1, 4)
        while room < count { (needed, room) = (needed + 1, room * 8) }
        #expect(depth == needed)
    }

    @Test("one of which little is left is no deeper than half full nodes would be")
    func shrinking() {
        for stay in [0, 3, 7] {
            var tree = SortedTree(0..<4096)
            for key in 0..<4096 where key % 512 != stay { _ = tree.remove(key) }
            #expect(tree.all == stride(from: stay, to: 4096, by: 512).map { $0 })
            #expect(tree.check() <= 3)
        }
    }

    @Test("a full node is split in its middle, or before a value that was inserted at its end")
    func splitting() {
        var leaf = SortedTree([0, 10, 20, 30])
        leaf.insert(5, at: 5)
        #expect(leaf.root.children.map(\.keys) == [[0, 5], [10, 20, 30]])
        var atEnd = SortedTree([0, 10, 20, 30])
        atEnd.insert(40, at: 40)
        #expect(atEnd.root.children.map(\.keys) == [[0, 10, 20, 30], [40]])
        var inner = SortedTree(stride(from: 0, to: 320, by: 10))
        #expect(inner.root.children.count == 8)
        inner.insert(5, at: 5)
        #expect(inner.root.children.map(\.children.count) == [4, 5])
    }

    /// A tree whose root has inner nodes with so many full leaves.
    private func tree(_ leaves: [Int]) -> SortedTree<Int> {
        var tree = SortedTree(0..<leaves.count * 32)
        for (node, count) in leaves.enumerated() {
            for key in node * 32 + count * 4..<(node + 1) * 32 { _ = tree.remove(key) }
        }
        return tree
    }

    @Test(
        "an inner node that has one child left is joined with its left neighbor, or else its right one, if both fit into one node",
        arguments: [
            ([6, 2], nil, [6, 2]), ([6, 2], 1, [7]), ([7, 2], 1, [8]), ([8, 2], 1, [8, 1]),
            ([2, 6], 0, [7]), ([2, 7], 0, [8]), ([2, 8], 0, [1, 8]),
            ([2, 3, 2], 2, [2, 4]), ([3, 2, 4], 1, [4, 4]), ([8, 2, 4], 1, [8, 5]), ([2, 3, 4], 0, [4, 4]),
        ] as [([Int], Int?, [Int])])
    func joining(leaves: [Int], node: Int?, joined: [Int]) {
        var tree = tree(leaves)
        if let node { for key in node * 32 + 4..<node * 32 + 8 { _ = tree.remove(key) } }
        let isOneNode = joined.count == 1
        #expect(tree.check() == (isOneNode ? 2 : 3))
        #expect((isOneNode ? [tree.root] : tree.root.children).map(\.children.count) == joined)
    }

    @Test("what is found by key, by position and by leaf is the same; what is not there is not found")
    func finding() {
        let tree = SortedTree(stride(from: 0, to: 1000, by: 2))
        for key in 0..<1000 {
            #expect(tree.value(key) == (key % 2 == 0 ? key : nil))
            #expect((tree.find(key) == nil) == (key % 2 == 1))
            #expect(tree.position(of: key) == (key + 1) / 2)
        }
        #expect(tree.value(-1) == nil)
        #expect(tree.value(1000) == nil)
        #expect(tree.position(of: -1) == 0)
        #expect(tree.position(of: 5000) == 500)
        for position in 0..<500 {
            let (leaf, place) = tree.find(position: position)
            #expect(leaf.values[place] == position * 2)
        }
    }

    @Test("an update of a key that is not there changes nothing")
    func noUpdate() {
        var tree = SortedTree(0..<50)
        let above: Void? = tree.update(50) { $0 = 0 }
        let below: Void? = tree.update(-1) { $0 = 0 }
        #expect(above == nil)
        #expect(below == nil)
        let answer = tree.update(7) { (value: inout Int) -> String in
            value = 70
            return "done"
        }
        #expect(answer == "done")
        #expect(tree.all == Array(0..<7) + [70] + Array(8..<50))
    }

    @Test("a visit ends where it is told to", arguments: [1, 4, 5, 40, 100])
    func visiting(count: Int) {
        let tree = SortedTree(0..<100)
        var seen: [Int] = []
        let isWhole = tree.visit { _, value in
            seen.append(value)
            return seen.count < count
        }
        #expect(seen == Array(0..<count))
        #expect(!isWhole)
        let sawAll = tree.visit { _, _ in true }
        #expect(sawAll)
    }

    @Test("what another version does not share is near what differs")
    func sharing() {
        let before = SortedTree(0..<1000)
        for key in [0, 500, 999] {
            var after = before
            after.update(key) { $0 = -1 }
            var seen: [Int] = []
            after.visit(notSharedWith: before) { seen.append($0) }
            #expect(seen.contains(-1))
            #expect(seen.count <= 4)
        }
        var seen = 0
        before.visit(notSharedWith: before) { _ in seen += 1 }
        #expect(seen == 0)
        before.visit(notSharedWith: SortedTree()) { _ in seen += 1 }
        #expect(seen == 1000)
    }

    @Test("trees are equal if their values are, whatever their keys and shapes")
    func equality() {
        let (ascending, descending) = (SortedTree(0..<200), SortedTree((0..<200).reversed()))
        #expect(ascending == descending)
        var spread = SortedTree<Int>()
        for value in 0..<200 { spread.insert(value, at: value * 7) }
        #expect(ascending == spread)
        for key in [0, 100, 199] {
            var other = descending
            other.update(key) { $0 = -1 }
            #expect(!(ascending == other))
            var same = ascending
            same.update(key) { $0 = -1 }
            #expect(!(ascending == same))
            #expect(other == same)
        }
        #expect(!(ascending == SortedTree(0..<199)))
        #expect(SortedTree<Int>() == SortedTree<Int>())
    }

    @Test("a key that is not there cannot be removed, nor one be found at a position that is not there")
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

    @Test("an empty one holds no key, and nor does one whose last key was removed")
    func empty() {
        var tree = SortedTree<Int>()
        #expect(tree.value(0) == nil)
        tree.insert(1, at: 1)
        #expect(tree.remove(1) == 1)
        #expect(tree.value(1) == nil)
        #expect(tree.all == [])
    }
}
