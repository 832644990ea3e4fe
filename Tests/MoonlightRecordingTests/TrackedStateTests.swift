import Foundation
import MoonlightTestSupport
import Testing

@testable import MoonlightRecording

private struct Item: Codable, Hashable, Sendable {
    var name = ""
    var tags: Set<String> = []
}

private enum Mode: Codable, Hashable, Sendable {
    case off
    case on(Int)
    case both(left: [Int], right: Item)
}

private struct Big: Codable, Equatable, Sendable {
    var count = 0
    var ratio = 1.5
    var title: String?
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var mode = Mode.off
    var list: [Int] = []
    var items: [String: Item] = [:]
    var numbers: [Int: [Int]] = [:]
    var tags: Set<Int> = []
    var best: Item?

    mutating func change(_ dice: inout Dice) {
        func number(_ most: Int) -> Int { Int.random(in: 0...most, using: &dice) }
        switch number(15) {
        case 0: count = number(2)
        case 1: ratio = Double(number(2)) / 2
        case 2: title = number(2) == 0 ? nil : "\(number(2))"
        case 3: date = Date(timeIntervalSinceReferenceDate: Double(number(2)))
        case 4: mode = [.off, .on(number(1)), .both(left: [number(2)], right: Item(name: "\(number(2))"))][number(2)]
        case 5: list.append(number(9))
        case 6: if !list.isEmpty { list[number(list.count - 1)] = number(9) }
        case 7: if !list.isEmpty { list.remove(at: number(list.count - 1)) }
        case 8: list = (0..<number(12)).map { _ in number(9) }
        case 9: items["\(number(20))", default: Item()].name = "\(number(3))"
        case 10: items["\(number(20))", default: Item()].tags.insert("\(number(3))")
        case 11: items["\(number(20))"] = nil
        case 12: numbers[number(9), default: []].append(number(9))
        case 13: tags.insert(number(30))
        case 14: if let tag = tags.min() { tags.remove(tag) }
        default: best = number(1) == 0 ? nil : Item(name: "\(number(1))", tags: ["\(number(1))"])
        }
    }
}

/// A key with the same description as others.
private struct Vague: Hashable, CustomStringConvertible, Sendable, CustomReflectable {
    let number: Int
    var description: String { "vague" }
    var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>(), displayStyle: .class) }
}

@Suite("Recording: the tree of a changing state")
struct TrackedStateTests {
    @Test(
        "A tracked tree is that of each new state, and the changes lead from one tree to the next",
        arguments: Budget.seeds(60, least: 4))
    func random(seed: Int) {
        var dice = Dice(seed)
        var state = Big()
        var tracked = TrackedState(state)
        for _ in 0..<80 {
            let before = tracked.tree
            state.change(&dice)
            if Int.random(in: 0..<3, using: &dice) == 0 { state.change(&dice) }
            let changes = tracked.change(to: state)
            expectEqual(tracked.tree, TreeMaker.tree(of: state))
            expectEqual(tracked.value, state)
            var replayed = before
            for change in changes { replayed.apply(change) }
            expectEqual(replayed, tracked.tree)
            expect(changes.isEmpty == (before == tracked.tree))
        }
    }

    @Test("A changed value of a large dictionary is one change, with the path to the difference")
    func dictionary() {
        var state = Big(items: Dictionary(uniqueKeysWithValues: (0..<1000).map { ("\($0)", Item(name: "x")) }))
        var tracked = TrackedState(state)
        state.items["7"]?.name = "y"
        expectEqual(tracked.change(to: state), [TreeChange(["items", "\"7\"", "name"], .leaf("\"y\""))])
        state.items["7"] = nil
        expectEqual(tracked.change(to: state), [TreeChange(["items", "\"7\""], nil)])
        state.items["new"] = Item()
        expectEqual(tracked.change(to: state).map(\.path), [["items", "\"new\""]])
    }

    @Test("Changes of a dictionary and of a set are in the order of their names")
    func order() {
        let same = Dictionary(uniqueKeysWithValues: (0..<20).map { ("\($0)", Item()) })
        var tracked = TrackedState(
            Big(items: same.merging(["a": Item(), "b": Item(), "c": Item(), "d": Item()]) { $1 }, tags: [1, 2, 3, 4, 5, 6]))
        let now = Big(
            items: same.merging(["a": Item(name: "x"), "b": Item(name: "x"), "e": Item(), "f": Item()]) { $1 },
            tags: [1, 2, 3, 4, 7, 8])
        expectEqual(
            tracked.change(to: now).map { $0.path.joined(separator: " ") },
            [
                "items \"c\"", "items \"d\"", "items \"a\" name", "items \"b\" name", "items \"e\"", "items \"f\"",
                "tags 5", "tags 6", "tags 7", "tags 8",
            ])
    }

    @Test("A list or dictionary that has mostly changed is one change")
    func whole() {
        var tracked = TrackedState(Big(list: Array(0..<20)))
        expectEqual(tracked.change(to: Big(list: Array(1..<21))).map(\.path), [["list"]])
        expectEqual(tracked.change(to: Big(list: Array(1..<40))).count, 19)
        expectEqual(tracked.change(to: Big(list: Array(1..<21))).map(\.path), [["list"]])
        expectEqual(tracked.change(to: Big(list: Array(1..<42))).map(\.path), [["list"]])
        expectEqual(tracked.change(to: Big(list: Array(1..<43))).map(\.path), [["list", "41"]])
        expectEqual(tracked.tree, TreeMaker.tree(of: Big(list: Array(1..<43))))
        var keyed = TrackedState(Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, 0) }))
        expectEqual(keyed.change(to: Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, $0 < 5 ? 1 : 0) })).count, 5)
        expectEqual(keyed.change(to: Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, $0 < 6 ? 2 : 0) })).map(\.path), [[]])
    }

    @Test("Keys with the same description are distinguished, and so are the changes of their values")
    func vagueKeys() {
        var state = [Vague(number: 1): 10, Vague(number: 2): 20]
        var tracked = TrackedState(state)
        for change: (inout [Vague: Int]) -> Void in [
            { $0[Vague(number: 2)] = 21 }, { $0[Vague(number: 3)] = 30 }, { $0[Vague(number: 1)] = nil },
            { $0[Vague(number: 2)] = nil }, { $0[Vague(number: 4)] = 40 },
        ] {
            change(&state)
            var replayed = tracked.tree
            for change in tracked.change(to: state) { replayed.apply(change) }
            expectEqual(Set(tracked.tree.parts.map(\.value)), Set(state.values.map { .leaf("\($0)") }))
            expectEqual(Set(tracked.tree.parts.map(\.name)).count, state.count)
            expectEqual(replayed, tracked.tree)
        }
    }

    @Test("A state with too many parts is tracked in part, until `refresh()` rebuilds the tree")
    func cut() {
        struct Wide: Equatable {
            var items = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, 0) })
            var count = 0
        }
        var state = Wide()
        var tracked = TrackedState(state, most: 50)
        expectEqual(tracked.tree.part("count"), .cut)
        let shown = tracked.tree.part("items")?.parts.map(\.name) ?? []
        expect(shown.count >= 20 && shown.count < 50)
        for key in state.items.keys.sorted() {
            state.items[key] = 1
            let changes = tracked.change(to: state)
            let place = TreeChange(["items", "\(key)"], .leaf("1"))
            expect(changes == (shown.contains("\(key)") ? [place] : []))
        }
        state.items[1000] = 1
        expectEqual(tracked.change(to: state), [])
        state.items = [1: 1]
        _ = tracked.change(to: state)
        tracked.refresh()
        expectEqual(tracked.tree, TreeMaker.tree(of: state))
    }

    @Test("A list of too many elements is truncated, also while it shrinks and grows")
    func cutList() {
        var state = Array(0..<100)
        var tracked = TrackedState(state, most: 20)
        expectEqual(tracked.tree.parts.count, 20)
        expectEqual(tracked.tree.parts.last?.value, .cut)
        state[3] = -1
        expectEqual(tracked.change(to: state), [TreeChange(["3"], .leaf("-1"))])
        state[50] = -1
        state.append(7)
        expectEqual(tracked.change(to: state), [])
        state.removeLast(86)
        expectEqual(tracked.change(to: state).map(\.path), [["19"], ["18"], ["17"], ["16"], ["15"]])
        expectEqual(tracked.tree, TreeMaker.tree(of: state))
        state.append(8)
        expectEqual(tracked.change(to: state), [TreeChange(["15"], .leaf("8"))])
    }

    @Test("A state that grows beyond the limit is cut, at most an eighth above it")
    func growing() {
        var state: [Int] = []
        var tracked = TrackedState(state, most: 80)
        for number in 0..<200 {
            state.append(number)
            _ = tracked.change(to: state)
            expect(tracked.tree.count <= 90)
        }
        expectEqual(tracked.tree.parts.last?.value, .cut)
        tracked.refresh()
        expect(tracked.tree.count <= 82)
    }

    @Test("A state of too much text is cut where the text exceeds the limit, and at most an eighth above it while it grows")
    func muchText() {
        let text = String(repeating: "x", count: 98)
        var state = [[text, String(repeating: "y", count: 2000), "short"], Array(repeating: text, count: 30)]
        var tracked = TrackedState(state, mostText: 1000)
        expectEqual(
            tracked.tree.part("0"),
            .node(.list, "", [.init("0", .leaf("\"\(text)\"")), .init("1", .cut), .init("2", .leaf("\"short\""))]))
        expect(tracked.tree.textSize <= 1125)
        expectEqual(tracked.tree.part("1")?.parts.last?.value, .cut)
        for count in [31, 1, 5, 6, 7, 8, 9, 10, 11, 12, 30] {
            state[1] = Array(repeating: text, count: count)
            var changed = tracked.tree
            for change in tracked.change(to: state) { changed.apply(change) }
            expectEqual(changed, tracked.tree)
            expect(tracked.tree.textSize <= 1125)
        }
        state = [["short"]]
        _ = tracked.change(to: state)
        tracked.refresh()
        expectEqual(tracked.tree, TreeMaker.tree(of: state))
    }

    @Test("Names of parts, keys and types count as text of a state")
    func names() {
        struct Long { var aPropertyWithALongName = 1 }
        let keys = Dictionary(uniqueKeysWithValues: (0..<300).map { ("a long key \($0)", $0) })
        let values: [Any] = [
            Array(repeating: Long(), count: 300), keys, Set(keys.keys), Array(repeating: Optional(keys), count: 20),
        ]
        for value in values {
            var maker = TreeMaker(mostText: 1000)
            expect(maker.tree(of: value).textSize < 1200)
            expect(maker.isCut)
        }
    }

    @Test("A step in a state of many parts visits only the changes")
    func visits() {
        final class Counter: @unchecked Sendable {
            // Sound: used on one thread.
            var count = 0
        }
        struct Watched: Equatable, CustomStringConvertible, CustomReflectable {
            let number: Int
            let counter: Counter
            var description: String {
                counter.count += 1
                return "\(number)"
            }
            var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>(), displayStyle: .class) }
            static func == (one: Watched, other: Watched) -> Bool { one.number == other.number }
        }
        let counter = Counter()
        var state = (0..<1000).map { Watched(number: $0, counter: counter) }
        var tracked = TrackedState(state)
        counter.count = 0
        state[500] = Watched(number: -1, counter: counter)
        expectEqual(tracked.change(to: state), [TreeChange(["500"], .leaf("-1"))])
        expectEqual(counter.count, 1)
    }
}
