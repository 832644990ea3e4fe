import MoonlightTestSupport
import PlainText
import Testing

@Suite("State changes: objects")
struct StateChangeObjectTests {
    class Node {
        var value: Int
        init(_ value: Int) { self.value = value }
    }

    final class Leaf: Node {}

    final class Branch: Node {
        var leaves = 0
        init(_ value: Int, leaves: Int) {
            super.init(value)
            self.leaves = leaves
        }
    }

    final class Key: Hashable {
        let name: Int
        init(_ name: Int) { self.name = name }
        static func == (a: Key, b: Key) -> Bool { a.name == b.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    struct Holder { var node: Node }

    private func nodes(_ values: Int...) -> [Node] { values.map(Node.init) }

    @Test("Objects in a list without a description of their own are compared field by field")
    func list() {
        expectEqual(diff(nodes(1), nodes(2)), ["[0].value 1 -> 2"])
        expectEqual(diff(nodes(1, 2, 3), nodes(1, 5, 4)), ["[1].value 2 -> 5", "[2].value 3 -> 4"])
        expectEqual(diff(nodes(1, 2), nodes(1, 2)), [])
    }

    @Test("Values in a list that contain such objects are compared field by field")
    func holders() {
        expectEqual(diff([Holder(node: Node(1))], [Holder(node: Node(2))]), ["[0].node.value 1 -> 2"])
    }

    @Test("Objects in a list from which one was removed are compared in order")
    func shorter() { expectEqual(diff(nodes(1, 2), nodes(3)), ["[0].value 1 -> 3", "[1] \(Node(2)) -> nothing"]) }

    @Test("Objects with equal fields at both ends of a list are no change")
    func ends() {
        let before: [Any] = [Node(1), "a", Node(2)]
        let after: [Any] = [Node(1), "b", "c", Node(2)]
        expectEqual(diff(before, after), ["[1] \"a\" -> \"b\"", "[2] nothing -> \"c\""])
    }

    @Test("Inherited fields of a class are listed before its own")
    func inherited() {
        expectEqual(diff(Leaf(1), Leaf(2)), ["value 1 -> 2"])
        expectEqual(diff(Branch(1, leaves: 1), Branch(2, leaves: 3)), ["value 1 -> 2", "leaves 1 -> 3"])
    }

    @Test("Members of a set without a description are distinguished by their own comparison")
    func set() {
        let (one, other) = (Key(1), Key(2))
        expectEqual(Set(diff(Set([one]), Set([other]))), ["\(one) -> nothing", "nothing -> \(other)"])
        expectEqual(diff(Set([one, other]), Set([other, one])), [])
    }

    @Test("Keys without a description are distinguished by their own comparison")
    func keys() {
        expectEqual(Set(diff([Key(1): 1], [Key(2): 1])), ["[\(Key(1))] 1 -> nothing", "[\(Key(2))] nothing -> 1"])
    }
}
