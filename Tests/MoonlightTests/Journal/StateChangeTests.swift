import Foundation
import Moonlight
import Testing

private func diff<Value>(_ before: Value, _ after: Value) -> [String] {
    StateChange.between(before, after).map(\.description)
}

@Suite("What has changed in a state")
struct StateChangeTests {
    struct User: Equatable { var (name, age, tags) = ("ann", 30, Set<String>()) }
    indirect enum Screen: Equatable {
        case list([String]), edit(title: String, User), empty
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
        var (cents, internalNote) = (100, "a"); var description: String { "\(cents)c" }
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
        #expect(diff(["a", "a"], ["a", "a", "a"]) == ["[2] nothing -> \"a\""])
        #expect(diff([1, 2, 3], [1, 5, 3]) == ["[1] 2 -> 5"])
        #expect(diff([[1], [2]], [[1], [2, 3]]) == ["[1][1] nothing -> 3"])
        #expect(diff([Int](), []) == [])
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

    @Test("a value nested ten thousand deep is told of as far as one may want to read")
    func deep() {
        func nest(_ inner: Screen) -> Screen { (0..<10_000).reduce(inner) { screen, _ in .nested(screen) } }
        let changes = StateChange.between(nest(.empty), nest(.list(["a"])))
        // The difference lies deeper than is looked.
        #expect(changes == [])
        let whole = StateChange.between(Screen.empty, nest(.empty))
        #expect(whole.count == 1)
        #expect(whole[0].after?.hasPrefix("nested(nested(") == true)
        #expect(whole[0].after?.contains("…") == true)
    }

    @Test("a value that becomes one of another type is replaced as a whole")
    func types() {
        #expect(diff(1 as Any, "1" as Any) == ["1 -> \"1\""])
    }
}
