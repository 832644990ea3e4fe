import Foundation
import Moonlight
import Testing

@Suite("What has changed in a state")
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

    @Test("values without fields, and equal ones")
    func plain() {
        #expect(diff(1, 2) == ["1 -> 2"])
        #expect(diff("a", "b") == ["\"a\" -> \"b\""])
        #expect(diff(1, 1) == [])
        #expect(diff(State(), State()) == [])
        #expect(diff((), ()) == [])
    }

    @Test("fields, in the order of declaration, by their way")
    func fields() {
        var after = State()
        after.user = User()
        after.pair = (2, "y")
        #expect(
            diff(State(), after) == [
                "user nil -> User(name: \"ann\", age: 30, tags: [])", "pair.0 1 -> 2", "pair.1 \"x\" -> \"y\"",
            ])
        var later = after
        later.user?.age = 31
        #expect(diff(after, later) == ["user.age 30 -> 31"])
    }

    @Test("what the same case of an enum carries is compared, another case is another value")
    func cases() {
        #expect(diff(Screen.edit(title: "a", User()), .edit(title: "b", User())) == ["edit.title \"a\" -> \"b\""])
        #expect(diff(Screen.list(["a"]), .list(["a", "b"])) == ["list[1] nothing -> \"b\""])
        #expect(diff(Screen.list([]), .empty) == ["list([]) -> empty"])
        #expect(
            diff(Screen.empty, .edit(title: "a", User()))
                == ["empty -> edit(title: \"a\", User(name: \"ann\", age: 30, tags: []))"])
    }

    @Test("an element that is inserted or removed is one change")
    func lists() {
        #expect(diff(["a", "b", "c"], ["a", "x", "b", "c"]) == ["[1] nothing -> \"x\""])
        #expect(diff(["a", "b", "c"], ["b", "c"]) == ["[0] \"a\" -> nothing"])
        #expect(diff([1, 2, 3], [1, 5, 3]) == ["[1] 2 -> 5"])
        #expect(diff([[1], [2]], [[1], [2, 3]]) == ["[1][1] nothing -> 3"])
        #expect(diff([Int](), []) == [])
    }

    /// In a process of its own: a bound that is off by one reads behind the end of a list.
    @Test("lists of every length that have become shorter or longer are compared within their bounds")
    func bounds() async {
        await #expect(processExitsWith: .success) {
            for (old, new) in [(0, 1), (1, 0), (1, 1), (2, 3), (3, 2), (3, 3), (0, 0), (2, 5), (5, 2)] {
                let changes = diff(Array(repeating: "a", count: old), Array(repeating: "a", count: new))
                let expected = (min(old, new)..<max(old, new)).map {
                    old < new ? "[\($0)] nothing -> \"a\"" : "[\($0)] \"a\" -> nothing"
                }
                #expect(changes == expected)
            }
        }
    }

    @Test("entries of a dictionary by key and members of a set, sorted, the same each time")
    func unordered() {
        #expect(
            diff(["a": 1, "b": 2, "c": 3], ["b": 5, "c": 3, "d": 4])
                == ["[\"a\"] 1 -> nothing", "[\"b\"] 2 -> 5", "[\"d\"] nothing -> 4"])
        #expect(diff(Set(["a", "b"]), Set(["b", "c"])) == ["\"a\" -> nothing", "nothing -> \"c\""])
        let many = Set((0..<50).map { "\($0)" })
        let text = "\(StateChange.between([many], [many.union(["x"])]))"
        #expect(
            (0..<10).allSatisfy { _ in "\(StateChange.between([Set(many.shuffled())], [many.union(["x"])]))" == text })
    }

    @Test("what describes itself is described, unless it describes two values alike")
    func selfDescribing() {
        #expect(diff(Price(), Price(cents: 200, internalNote: "b")) == ["100c -> 200c"])
        #expect(diff(Price(), Price(cents: 100, internalNote: "b")) == ["internalNote \"a\" -> \"b\""])
        #expect(diff(Decimal(1), Decimal(2)) == ["1 -> 2"])
    }

    @Test("numbers that equal nothing do not show as changes; signs of zero do")
    func nonFinite() {
        #expect(diff(Double.nan, Double.nan) == [])
        #expect(diff(1.0, Double.infinity) == ["1.0 -> inf"])
        #expect(diff(0.0, -0.0) == ["0.0 -> -0.0"])
    }

    @Test("objects are looked into, one that refers to itself once, and the same one never")
    func objects() {
        let (one, other) = (Node(1), Node(2))
        #expect(diff(Box(node: one), Box(node: other)) == ["node.value 1 -> 2"])
        one.next = one
        other.next = other
        #expect(diff(Box(node: one), Box(node: other)) == ["node.value 1 -> 2"])
        #expect(diff(Box(node: one), Box(node: one)) == [])
    }

    /// An object that counts how often it is looked into.
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

    @Test("objects that several others share are looked into once: their changes are told by the first way to them")
    func sharedObjects() {
        let looks = Tally()
        func ladder(_ value: Int) -> Counted {
            (0..<40).reduce(Counted(looks, value)) { inner, _ in Counted(looks, 0, inner, inner) }
        }
        let (before, after) = (ladder(1), ladder(2))
        #expect(diff(before, after) == [String(repeating: "first.", count: 40) + "value 1 -> 2"])
        #expect(looks.count < 1000)
    }

    @Test("an object is compared anew with each other that stands in its place")
    func sharedByOneSide() {
        let looks = Tally()
        let shared = Counted(looks, 1)
        let before = Counted(looks, 0, shared, shared)
        let after = Counted(looks, 0, Counted(looks, 2), Counted(looks, 3))
        #expect(diff(before, after) == ["first.value 1 -> 2", "second.value 1 -> 3"])
        #expect(diff(after, before) == ["first.value 2 -> 1", "second.value 3 -> 1"])
    }

    @Test("objects that refer to each other in a ring are looked into once each")
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
        let (before, after) = (ring(Array(0..<20)), ring(Array(0..<19) + [77]))
        #expect(diff(before, after) == [String(repeating: "first.", count: 19) + "value 19 -> 77"])
        #expect(looks.count < 1000)
    }

    @Test("what is first met too deep to be looked into is told where it is met again")
    func metAgain() {
        let looks = Tally()
        func state(_ value: Int) -> Counted {
            let leaf = Counted(looks, 0, Counted(looks, value))
            let deep = (0..<62).reduce(leaf) { inner, _ in Counted(looks, 0, inner) }
            return Counted(looks, 0, deep, leaf)
        }
        #expect(diff(state(1), state(2)) == ["second.first.value 1 -> 2"])
    }

    indirect enum Tree: Equatable {
        case leaf(Int)
        case node(Tree, Tree)
    }

    @Test("a value that holds the same parts again and again is told of as far as one may want to read")
    func sharedValues() throws {
        func doubled(_ leaf: Int) -> Tree { (0..<30).reduce(.leaf(leaf)) { tree, _ in .node(tree, tree) } }
        let changes = StateChange.between(doubled(1), doubled(2))
        let last = try #require(changes.last)
        #expect(last.isCut)
        #expect(changes.filter(\.isCut).count == 1)
        #expect(last.path == "…")
        #expect(last.before == nil)
        #expect(last.after == nil)
        #expect("\(last)" == "… and possibly more changes, which were not compared")
        #expect(changes.dropLast().allSatisfy { $0.before == "1" && $0.after == "2" })
        #expect(changes.count <= 1001)

        let whole = StateChange.between(Tree.leaf(1), doubled(2))
        #expect(whole.map(\.isCut) == [false, true])
        #expect(whole[0].before == "leaf(1)")
        #expect(whole[0].after?.contains("…") == true)
        var shared: [Any] = [1]
        for _ in 0..<40 { shared = [shared, shared] }
        #expect(StateChange.between(shared, [0]).map(\.isCut) == [true])
    }

    @Test("of more than a thousand changes the first thousand are told")
    func manyChanges() {
        func changes(_ count: Int) -> [StateChange] { StateChange.between([Int](), Array(0..<count)) }
        #expect(changes(1000).map(\.description) == (0..<1000).map { "[\($0)] nothing -> \($0)" })
        let more = changes(1001)
        #expect(Array(more.dropLast()) == changes(1000))
        #expect(more.last?.isCut == true)
        #expect(changes(5000) == more)

        let (before, after) = (Array(0..<1001), Array(1...1001).map { -$0 })
        #expect(StateChange.between(before, after).map(\.isCut) == Array(repeating: false, count: 1000) + [true])
        let numbers = Dictionary(uniqueKeysWithValues: (0..<1001).map { ($0, $0) })
        #expect(StateChange.between(numbers, [:]).map(\.isCut) == Array(repeating: false, count: 1000) + [true])
        let members = StateChange.between(Set(0..<501), Set(1000..<1500))
        #expect(members.count == 1001)
        #expect(members.last?.isCut == true)
        #expect(members.filter { $0.before != nil }.count == 501)
    }

    @Test("a state of nearly a hundred thousand parts is compared as a whole, a larger one as far as that")
    func manyParts() {
        func lists(_ count: Int) -> ([Int], [Int]) {
            let list = Array(repeating: 7, count: count)
            return (list, list.dropLast() + [8])
        }
        let (old, new) = lists(49_900)
        #expect(diff(old, new) == ["[49899] 7 -> 8"])
        let (before, after) = lists(50_100)
        #expect(StateChange.between(before, after).map(\.isCut) == [true])
        #expect(diff(before, before) == ["… and possibly more changes, which were not compared"])
    }

    @Test("a long text counts as more than one part")
    func longTexts() {
        let text = String(repeating: "x", count: 1_000_000)
        #expect(StateChange.between([text], [text + "y"]).map(\.isCut) == [false])
        #expect(StateChange.between(Array(repeating: text, count: 50), []).map(\.isCut) == [true])
    }

    @Test("an optional in an optional, and so on, is told of as what it holds")
    func nestedOptionals() {
        func nest(_ inner: Int) -> Any? { (0..<100).reduce(inner as Any?) { value, _ in .some(value as Any) } }
        #expect(diff(nest(1), nest(2)) == ["1 -> 2"])
        #expect(diff(nest(1), nil) == ["1 -> nil"])
    }

    @Test("a value nested ten thousand deep is told of as far as one may want to read")
    func deep() {
        func nest(_ inner: Screen) -> Screen { (0..<10_000).reduce(inner) { screen, _ in .nested(screen) } }
        let changes = StateChange.between(nest(.empty), nest(.list(["a"])))
        // The difference lies deeper than is looked.
        #expect(changes.map(\.isCut) == [true])
        let whole = StateChange.between(Screen.empty, nest(.empty))
        #expect(whole.count == 1)
        #expect(whole[0].after?.hasPrefix("nested(nested(") == true)
        #expect(whole[0].after?.contains("…") == true)
    }

    @Test("each level of lists and of dictionaries counts as one: forty are told of")
    func levels() {
        func lists(_ count: Int) -> Any { count == 0 ? 1 : [lists(count - 1)] }
        func entries(_ count: Int) -> Any { count == 0 ? 1 : ["k": entries(count - 1)] }
        let (list, entry) = (diff(0 as Any, lists(40)), diff(0 as Any, entries(40)))
        #expect(list == ["0 -> " + String(repeating: "[", count: 40) + "1" + String(repeating: "]", count: 40)])
        #expect(entry == ["0 -> " + String(repeating: "[\"k\": ", count: 40) + "1" + String(repeating: "]", count: 40)])
    }

    @Test("a value that becomes one of another type is replaced as a whole")
    func types() {
        #expect(diff(1 as Any, "1" as Any) == ["1 -> \"1\""])
    }

    /// A value that reflects the fields that it is told to.
    private struct Reflected: CustomReflectable {
        let fields: [Int]
        var customMirror: Mirror { Mirror(self, unlabeledChildren: fields, displayStyle: .tuple) }
    }

    @Test("values with different numbers of fields are told of as a whole")
    func otherFields() {
        #expect(diff(Reflected(fields: [1]), Reflected(fields: [1, 2])).count == 1)
        #expect(diff(Reflected(fields: [1, 2]), Reflected(fields: [1])).count == 1)
        #expect(diff(Reflected(fields: [1, 2]), Reflected(fields: [1, 3])) == ["2 -> 3"])
    }

    @Test("a member of a set, an entry and an element of a list that are new are told beside one that is gone")
    func exchanged() {
        #expect(diff([1], [2]) == ["[0] 1 -> 2"])
        #expect(diff(["a": 1], ["b": 1]) == ["[\"a\"] 1 -> nothing", "[\"b\"] nothing -> 1"])
        #expect(diff(Set([1]), Set([2])) == ["1 -> nothing", "nothing -> 2"])
        #expect(diff([1, 2, 2, 1], [1, 2, 1]) == ["[2] 2 -> nothing"])
        #expect(diff([1, 1, 1], [1]) == ["[1] 1 -> nothing", "[2] 1 -> nothing"])
    }

    @Test("an enum that describes itself is told of as a whole, and so is one whose payload has gone")
    func describedCases() {
        enum Level: CustomStringConvertible {
            case number(Int)
            var description: String { if case .number(let number) = self { "level \(number)" } else { "" } }
        }
        #expect(diff(Level.number(1), Level.number(2)) == ["level 1 -> level 2"])
    }
}
