import Moonlight
import Testing

@Suite("What has changed in the objects of a state")
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

    @Test("in a list, objects that are described by their class alone are compared field by field")
    func list() {
        #expect(diff(nodes(1), nodes(2)) == ["[0].value 1 -> 2"])
        #expect(diff(nodes(1, 2, 3), nodes(1, 5, 4)) == ["[1].value 2 -> 5", "[2].value 3 -> 4"])
        #expect(diff(nodes(1, 2), nodes(1, 2)) == [])
    }

    @Test("in a list, so are values that hold such objects")
    func holders() {
        #expect(diff([Holder(node: Node(1))], [Holder(node: Node(2))]) == ["[0].node.value 1 -> 2"])
    }

    @Test("beside an object that is gone from a list, the others are compared in their order")
    func shorter() { #expect(diff(nodes(1, 2), nodes(3)) == ["[0].value 1 -> 3", "[1] \(Node(2)) -> nothing"]) }

    @Test("elements that are alike behind those that differ are compared by their places from the end")
    func tail() {
        let before: [Any] = ["a", Node(1), Node(2)]
        let after: [Any] = ["b", "c", Node(1), Node(3)]
        #expect(diff(before, after) == ["[0] \"a\" -> \"b\"", "[1] nothing -> \"c\"", "[3].value 2 -> 3"])
    }

    @Test("the fields that a class inherits come before its own")
    func inherited() {
        #expect(diff(Leaf(1), Leaf(2)) == ["value 1 -> 2"])
        #expect(diff(Branch(1, leaves: 1), Branch(2, leaves: 3)) == ["value 1 -> 2", "leaves 1 -> 3"])
    }

    @Test("a set whose members are described by their class alone cuts the list, unless it is equal")
    func set() {
        let (one, other) = (Key(1), Key(2))
        #expect(StateChange.between(Set([one]), Set([other])).map(\.isCut) == [true])
        #expect(diff(Set([one, other]), Set([other, one])) == [])
    }

    @Test("a dictionary whose keys are described by their class alone cuts the list")
    func keys() { #expect(StateChange.between([Key(1): 1], [Key(2): 1]).last?.isCut == true) }
}
