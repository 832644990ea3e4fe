import Foundation
import MoonlightTestSupport
import PlainText
import Testing

@Suite("State changes")
struct StateChangeTests {
    struct User: Equatable { var (name, age, tags) = ("ann", 30, Set<String>()) }
    indirect enum Screen: Equatable {
        case list([String])
        case edit(title: String, User)
        case empty
        case nested(Screen)
    }
    struct State: Equatable {
        var user: User?
        var screen = Screen.empty
        var pair = (1, "x")
        var scores: [String: Int] = [:]

        static func == (a: State, b: State) -> Bool { false }
    }
    struct Price: CustomStringConvertible {
        var (cents, internalNote) = (100, "a")
        var description: String { "\(cents)c" }
    }
    final class Node {
        var (value, next) = (0, Node?.none)
        init(_ value: Int) { self.value = value }
    }
    struct Box { var node: Node }

    @Test("Values without fields are compared as a whole, and equal ones have no changes")
    func plain() {
        expectEqual(diff(1, 2), ["1 -> 2"])
        expectEqual(diff("a", "b"), ["\"a\" -> \"b\""])
        expectEqual(diff(1, 1), [])
        expectEqual(diff(State(), State()), [])
        expectEqual(diff((), ()), [])
    }

    @Test("Fields are compared in the order of declaration, and named by their path")
    func fields() {
        var after = State()
        after.user = User()
        after.pair = (2, "y")
        expectEqual(
            diff(State(), after),
            [
                "user nil -> User(name: \"ann\", age: 30, tags: [])", "pair.0 1 -> 2", "pair.1 \"x\" -> \"y\"",
            ])
        var later = after
        later.user?.age = 31
        expectEqual(diff(after, later), ["user.age 30 -> 31"])
    }

    @Test("Payloads of the same enum case are compared, and another case replaces the value")
    func cases() {
        expectEqual(diff(Screen.edit(title: "a", User()), .edit(title: "b", User())), ["edit.title \"a\" -> \"b\""])
        expectEqual(diff(Screen.list(["a"]), .list(["a", "b"])), ["list[1] nothing -> \"b\""])
        expectEqual(diff(Screen.list([]), .empty), ["list([]) -> empty"])
        expectEqual(
            diff(Screen.empty, .edit(title: "a", User())), ["empty -> edit(title: \"a\", User(name: \"ann\", age: 30, tags: []))"]
        )
    }

    @Test("An element that is inserted or removed is one change")
    func lists() {
        expectEqual(diff(["a", "b", "c"], ["a", "x", "b", "c"]), ["[1] nothing -> \"x\""])
        expectEqual(diff(["a", "b", "c"], ["b", "c"]), ["[0] \"a\" -> nothing"])
        expectEqual(diff([1, 2, 3], [1, 5, 3]), ["[1] 2 -> 5"])
        expectEqual(diff([[1], [2]], [[1], [2, 3]]), ["[1][1] nothing -> 3"])
        expectEqual(diff([Int](), []), [])
    }

    /// Runs in a process of its own: a bound that is off by one reads beyond the end of a list.
    @Test("Lists of any length that have become shorter or longer are compared within their bounds")
    func bounds() async {
        await #expect(processExitsWith: .success) {
            for (old, new) in [(0, 1), (1, 0), (1, 1), (2, 3), (3, 2), (3, 3), (0, 0), (2, 5), (5, 2)] {
                let changes = diff(Array(repeating: "a", count: old), Array(repeating: "a", count: new))
                let expected = (min(old, new)..<max(old, new)).map {
                    old < new ? "[\($0)] nothing -> \"a\"" : "[\($0)] \"a\" -> nothing"
                }
                expectEqual(changes, expected)
            }
        }
    }

    @Test("Entries of a dictionary and members of a set are sorted in a stable order")
    func unordered() {
        expectEqual(
            diff(["a": 1, "b": 2, "c": 3], ["b": 5, "c": 3, "d": 4]),
            ["[\"a\"] 1 -> nothing", "[\"b\"] 2 -> 5", "[\"d\"] nothing -> 4"])
        expectEqual(diff(Set(["a", "b"]), Set(["b", "c"])), ["\"a\" -> nothing", "nothing -> \"c\""])
        let many = Set((0..<50).map { "\($0)" })
        let text = "\(StateChange.between([many], [many.union(["x"])]))"
        expect(
            (0..<10).allSatisfy { _ in "\(StateChange.between([Set(many.shuffled())], [many.union(["x"])]))" == text })
    }

    @Test("A value with a description is described, unless both descriptions are equal")
    func selfDescribing() {
        expectEqual(diff(Price(), Price(cents: 200, internalNote: "b")), ["100c -> 200c"])
        expectEqual(diff(Price(), Price(cents: 100, internalNote: "b")), ["internalNote \"a\" -> \"b\""])
        expectEqual(diff(Decimal(1), Decimal(2)), ["1 -> 2"])
    }

    @Test("NaN is no change; a changed sign of zero is")
    func nonFinite() {
        expectEqual(diff(Double.nan, Double.nan), [])
        expectEqual(diff(1.0, Double.infinity), ["1.0 -> inf"])
        expectEqual(diff(0.0, -0.0), ["0.0 -> -0.0"])
    }

    @Test("Objects are compared field by field, cyclic ones once, and identical ones never")
    func objects() {
        let (one, other) = (Node(1), Node(2))
        expectEqual(diff(Box(node: one), Box(node: other)), ["node.value 1 -> 2"])
        one.next = one
        other.next = other
        expectEqual(diff(Box(node: one), Box(node: other)), ["node.value 1 -> 2"])
        expectEqual(diff(Box(node: one), Box(node: one)), [])
    }

    /// An object that counts how often it is reflected.
    final class Counted: CustomReflectable {
        let looks: Tally
        var (value, first, second): (Int, Counted?, Counted?)
        init(_ looks: Tally, _ value: Int, _ first: Counted? = nil, _ second: Counted? = nil) {
            self.looks = looks
            self.value = value
            self.first = first
            self.second = second
        }
        var customMirror: Mirror {
            looks.count += 1
            return Mirror(
                self, children: ["value": value, "first": first as Any, "second": second as Any], displayStyle: .class)
        }
    }
    final class Tally { var count = 0 }

    @Test("A shared object is compared once, and its changes are listed by the first path to it")
    func sharedObjects() {
        let looks = Tally()
        func ladder(_ value: Int) -> Counted {
            var top = Counted(looks, value)
            for _ in 0..<40 { top = Counted(looks, 0, top, top) }
            return top
        }
        let (before, after) = (ladder(1), ladder(2))
        expectEqual(diff(before, after), [String(repeating: "first.", count: 40) + "value 1 -> 2"])
        expect(looks.count < 1000)
    }

    @Test("An object is compared again with each other object that replaces it")
    func sharedByOneSide() {
        let looks = Tally()
        let shared = Counted(looks, 1)
        let before = Counted(looks, 0, shared, shared)
        let after = Counted(looks, 0, Counted(looks, 2), Counted(looks, 3))
        expectEqual(diff(before, after), ["first.value 1 -> 2", "second.value 1 -> 3"])
        expectEqual(diff(after, before), ["first.value 2 -> 1", "second.value 3 -> 1"])
    }

    @Test("Objects that refer to each other in a ring are compared once each")
    func rings() {
        let looks = Tally()
        func ring(_ values: [Int]) -> Counted {
            let nodes = values.map { Counted(looks, $0) }
            for (index, node) in nodes.enumerated() {
                node.first = nodes[(index + 1) % nodes.count]
                node.second = nodes[(index + 2) % nodes.count]
            }
            return nodes[0]
        }
        var values: [Int] = Array(0..<20)
        let before = ring(values)
        values[19] = 77
        let after = ring(values)
        expectEqual(diff(before, after), [String(repeating: "first.", count: 19) + "value 19 -> 77"])
        expect(looks.count < 1000)
    }

    @Test("An object that is met first too deep to be compared in full is not compared again: the list of changes is cut")
    func metAgain() {
        let looks = Tally()
        func state(_ value: Int) -> Counted {
            let leaf = Counted(looks, 0, Counted(looks, value))
            var deep = leaf
            for _ in 0..<62 { deep = Counted(looks, 0, deep) }
            return Counted(looks, 0, deep, leaf)
        }
        expectEqual(StateChange.between(state(1), state(2)).map(\.isCut), [true])
    }

    indirect enum Tree: Equatable {
        case leaf(Int)
        case node(Tree, Tree)
    }

    /// A tree of thirty levels, each of which contains the next one twice.
    private func doubled(_ leaf: Int) -> Tree {
        var tree = Tree.leaf(leaf)
        for _ in 0..<30 { tree = .node(tree, tree) }
        return tree
    }

    @Test("The changes of a value that contains the same parts repeatedly are listed up to a limit")
    func sharedValues() throws {
        let changes = StateChange.between(doubled(1), doubled(2))
        let last = try #require(changes.last)
        expect(last.isCut)
        expectEqual(changes.filter(\.isCut).count, 1)
        expectEqual(last.path, "…")
        expect(last.before == nil)
        expect(last.after == nil)
        expectEqual("\(last)", "… and possibly more changes, which were not compared")
        let others = Array(changes.dropLast())
        expect(others.allSatisfy { (change: StateChange) -> Bool in change.before == "1" })
        expect(others.allSatisfy { (change: StateChange) -> Bool in change.after == "2" })
        expect(changes.count <= 1001)
    }

    @Test("The description of a value that contains the same parts repeatedly is cut where it replaces another value")
    func sharedValuesAsAWhole() {
        let whole = StateChange.between(Tree.leaf(1), doubled(2))
        expectEqual(whole.map(\.isCut), [false, true])
        expectEqual(whole[0].before, "leaf(1)")
        let text = whole[0].after ?? ""
        expect(text.suffix(200).contains("…"))
        var shared: [Any] = [1]
        for _ in 0..<40 { shared = [shared, shared] }
        expectEqual(StateChange.between(shared, [0]).map(\.isCut), [true])
    }

    @Test("Only the first thousand changes are listed")
    func manyChanges() {
        func changes(_ count: Int) -> [StateChange] { StateChange.between([Int](), Array(0..<count)) }
        expectEqual(changes(1000).map(\.description), (0..<1000).map { "[\($0)] nothing -> \($0)" })
        let more = changes(1001)
        expectEqual(Array(more.dropLast()), changes(1000))
        expectEqual(more.last?.isCut, true)
        expectEqual(changes(5000), more)

        var onlyLastIsCut = [Bool](repeating: false, count: 1000)
        onlyLastIsCut.append(true)
        let before: [Int] = Array(0..<1001)
        let after: [Int] = before.map { (number: Int) -> Int in -1 - number }
        expectEqual(StateChange.between(before, after).map(\.isCut), onlyLastIsCut)
        var numbers: [Int: Int] = [:]
        for number in before { numbers[number] = number }
        expectEqual(StateChange.between(numbers, [:]).map(\.isCut), onlyLastIsCut)
        let members = StateChange.between(Set(0..<501), Set(1000..<1500))
        expectEqual(members.count, 1001)
        expectEqual(members.last?.isCut, true)
        expectEqual(members.filter { $0.before != nil }.count, 500)
    }

    /// Two lists of a number of elements, the last of which differs.
    private func longLists(_ count: Int) -> (before: [Int], after: [Int]) {
        let before = [Int](repeating: 7, count: count)
        var after = before
        after[count - 1] = 8
        return (before, after)
    }

    @Test("A state of nearly 100,000 parts is compared completely")
    func manyParts() {
        let (before, after) = longLists(99_900)
        expectEqual(diff(before, after), ["[99899] 7 -> 8"])
    }

    @Test("A state of more than 100,000 parts is compared up to that number")
    func tooManyParts() {
        let (before, after) = longLists(100_100)
        expectEqual(StateChange.between(before, after).map(\.isCut), [true])
        guard Budget.isExhaustive else { return }
        expectEqual(diff(before, before), ["… and possibly more changes, which were not compared"])
    }

    @Test("A long text counts as more than one part")
    func longTexts() {
        let text = String(repeating: "x", count: Budget.size(1_000_000, quick: 200_000))
        expectEqual(StateChange.between([text], [text + "y"]).map(\.isCut), [false])
        expectEqual(StateChange.between(Array(repeating: text, count: 50), []).last?.isCut, true)
    }

    @Test("An optional in any number of optionals is compared as its value")
    func nestedOptionals() {
        func nest(_ inner: Int) -> Any? { (0..<100).reduce(inner as Any?) { value, _ in .some(value as Any) } }
        expectEqual(diff(nest(1), nest(2)), ["1 -> 2"])
        expectEqual(diff(nest(1), nil), ["1 -> nil"])
    }

    @Test("A value of 10,000 levels is described up to a limit")
    func deep() {
        func nest(_ inner: Screen) -> Screen { (0..<10_000).reduce(inner) { screen, _ in .nested(screen) } }
        let changes = StateChange.between(nest(.empty), nest(.list(["a"])))
        // The difference is below the depth limit.
        expectEqual(changes.map(\.isCut), [true])
        let whole = StateChange.between(Screen.empty, nest(.empty))
        expectEqual(whole.count, 1)
        expectEqual(whole[0].after?.hasPrefix("nested(nested("), true)
        expectEqual(whole[0].after?.contains("…"), true)
    }

    @Test("A level of lists or dictionaries counts as one level, so that forty are described")
    func levels() {
        func lists(_ count: Int) -> Any { count == 0 ? 1 : [lists(count - 1)] }
        func entries(_ count: Int) -> Any { count == 0 ? 1 : ["k": entries(count - 1)] }
        let (list, entry) = (diff(0 as Any, lists(40)), diff(0 as Any, entries(40)))
        expectEqual(list, ["0 -> " + String(repeating: "[", count: 40) + "1" + String(repeating: "]", count: 40)])
        expectEqual(entry, ["0 -> " + String(repeating: "[\"k\": ", count: 40) + "1" + String(repeating: "]", count: 40)])
    }

    @Test("A value that becomes one of another type is replaced")
    func types() {
        expectEqual(diff(1 as Any, "1" as Any), ["1 -> \"1\""])
    }

    /// A value that reflects the given fields.
    private struct Reflected: CustomReflectable {
        let fields: [Int]
        var customMirror: Mirror { Mirror(self, unlabeledChildren: fields, displayStyle: .tuple) }
    }

    @Test("Values with different numbers of fields are compared as wholes")
    func otherFields() {
        expectEqual(diff(Reflected(fields: [1]), Reflected(fields: [1, 2])).count, 1)
        expectEqual(diff(Reflected(fields: [1, 2]), Reflected(fields: [1])).count, 1)
        expectEqual(diff(Reflected(fields: [1, 2]), Reflected(fields: [1, 3])), ["2 -> 3"])
    }

    @Test("A new member of a set, entry or element is listed next to a removed one")
    func exchanged() {
        expectEqual(diff([1], [2]), ["[0] 1 -> 2"])
        expectEqual(diff(["a": 1], ["b": 1]), ["[\"a\"] 1 -> nothing", "[\"b\"] nothing -> 1"])
        expectEqual(diff(Set([1]), Set([2])), ["1 -> nothing", "nothing -> 2"])
        expectEqual(diff([1, 2, 2, 1], [1, 2, 1]), ["[2] 2 -> nothing"])
        expectEqual(diff([1, 1, 1], [1]), ["[1] 1 -> nothing", "[2] 1 -> nothing"])
    }

    @Test("An enum with a description is compared as a whole")
    func describedCases() {
        enum Level: CustomStringConvertible {
            case number(Int)
            var description: String { if case .number(let number) = self { "level \(number)" } else { "" } }
        }
        expectEqual(diff(Level.number(1), Level.number(2)), ["level 1 -> level 2"])
    }
}
