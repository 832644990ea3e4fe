import Moonlight
import MoonlightTestSupport
import Testing

@Suite("Identified lists")
struct IdentifiedListTests {
    private struct Clash: Hashable, Sendable {
        let value: Int
        // Only three hash values, so that ids collide.
        func hash(into hasher: inout Hasher) { hasher.combine(value % 3) }
    }

    /// The same operations on the list and on a plain array of pairs.
    private func compare<ID: Hashable & Sendable>(seed: Int, steps: Int, makeID: (Int) -> ID) {
        var dice = Dice(seed: seed)
        var list = IdentifiedList<ID, Int>()
        var model: [(id: ID, value: Int)] = []
        var versions: [(IdentifiedList<ID, Int>, [Int])] = []
        for step in 0..<steps {
            let id = makeID(dice.roll(60))
            let known = model.firstIndex { $0.id == id }
            switch dice.roll(8) {
            case 0, 1:
                let isNew = list.append(step, id: id)
                expect(isNew == (known == nil))
                if known == nil { model.append((id, step)) }
            case 2:
                let place = dice.roll(model.count + 1)
                let isNew = list.insert(step, id: id, at: place)
                expect(isNew == (known == nil))
                if known == nil { model.insert((id, step), at: place) }
            case 3:
                let removed = list.remove(id: id)
                expectEqual(removed, known.map { model[$0].value })
                if let known { model.remove(at: known) }
            case 4 where !model.isEmpty:
                let place = dice.roll(model.count)
                let (removed, expected) = (list.remove(at: place), model.remove(at: place).value)
                expectEqual(removed, expected)
            case 5 where known != nil:
                let place = dice.roll(model.count)
                list.move(id: id, to: place)
                let moved = model.remove(at: known!)
                model.insert(moved, at: place)
            default:
                let updated: Void? = list.update(id: id) { $0 += 1000 }
                expect((updated != nil) == (known != nil))
                if let known { model[known].value += 1000 }
            }
            expectEqual(list.position(of: id), model.firstIndex { $0.id == id })
            expectEqual(list[id: id], model.first { $0.id == id }?.value)
            if step % 50 == 0 {
                versions.append((list, model.map(\.value)))
                expectEqual(list.ids, model.map(\.id))
                expectEqual(Array(list), model.map(\.value))
                expect(model.indices.allSatisfy { list[$0] == model[$0].value && list.id(at: $0) == model[$0].id })
            }
        }
        // Retained versions have not changed.
        for (version, values) in versions { expectEqual(Array(version), values) }
    }

    @Test("Lists with equal elements under equal ids in the same order have the same hash, whatever their past")
    func hash() {
        var list = IdentifiedList(["a", "b", "c"], id: { $0 })
        list[id: "d"] = "d"
        list.remove(id: "b")
        expectEqual(Set([list, IdentifiedList(["a", "c", "d"], id: { $0 })]).count, 1)
        expectEqual(
            Set([list, IdentifiedList(["c", "a", "d"], id: { $0 }), IdentifiedList(["a", "c", "d"], id: { $0 + "1" })]).count, 3)
    }

    @Test(
        "A list behaves like an array of pairs, and its older versions do not change", arguments: Budget.seeds(8, least: 2))
    func model(seed: Int) { compare(seed: seed, steps: 600) { $0 } }

    @Test("A list finds elements whose ids have equal hash values", arguments: Budget.seeds(5, least: 2))
    func clashes(seed: Int) { compare(seed: seed, steps: 400) { Clash(value: $0) } }

    @Test("`move` returns true if the id is in the list, and otherwise returns false and changes nothing")
    func moving() {
        var list = IdentifiedList([1, 2, 3]) { $0 }
        let moved = [1, 4].map { list.move(id: $0, to: 2) }
        expectEqual(moved, [true, false])
        expectEqual(list.ids, [2, 3, 1])
        expectEqual([1, 2, 3, 4].map { list.position(of: $0) }, [2, 0, 1, nil])
    }

    @Test("A list does not change if the closure of `removeAll` or `sort` throws")
    func throwing() {
        struct Unknown: Error {}
        var list = IdentifiedList([3, 1, 2]) { $0 }
        #expect(throws: Unknown.self) {
            try list.removeAll { number in
                if number == 2 { throw Unknown() }
                return true
            }
        }
        #expect(throws: Unknown.self) {
            try list.sort { one, other in
                if min(one, other) == 1 { throw Unknown() }
                return one < other
            }
        }
        expectEqual(list.ids, [3, 1, 2])
    }

    @Test("Thousands of elements that are inserted at the front, the back and in the middle keep their positions")
    func large() {
        let unit: Int = Budget.size(1000, quick: 150)
        let (third, whole): (Int, Int) = (3 * unit, 10 * unit)
        var list = IdentifiedList<Int, Int>()
        for number in 0..<third { list.append(number, id: number) }
        for number in third..<2 * third { list.insert(number, id: number, at: 0) }
        for number in 2 * third..<whole { list.insert(number, id: number, at: third) }
        expectEqual(list.count, whole)
        expectEqual(list.first, 2 * third - 1)
        expectEqual(list[third], whole - 1)
        expectEqual(list.last, third - 1)
        expectEqual(list.position(of: 2 * third), whole - third - 1)
        for number in 0..<whole - 1 { list.remove(id: number) }
        expectEqual(Array(list), [whole - 1])
    }

    @Test("Many insertions at the same place keep the order", arguments: [0, 1, 50, 99, 100])
    func samePlace(place: Int) {
        var list = IdentifiedList(0..<100) { $0 }
        var model = Array(0..<100)
        // Even the quick tier runs out of room several times.
        let many: Int = Budget.size(3000, quick: 400)
        for number in 100..<many {
            list.insert(number, id: number, at: place)
            model.insert(number, at: place)
        }
        for number in many..<many + many / 3 {
            list.insert(number, id: number, at: number - many + 10)
            model.insert(number, at: number - many + 10)
        }
        expect(list.elementsEqual(model))
        expect(model.allSatisfy { list.position(of: $0).map { model[$0] } == $0 })
    }

    @Test("Lists with equal elements under equal ids in the same order are equal, however they were built, and others are not")
    func equality() {
        var one = IdentifiedList<Int, String>()
        var other = IdentifiedList<Int, String>()
        for number in 0..<500 { one.append("\(number)", id: number) }
        for number in (0..<500).reversed() { other.insert("\(number)", id: number, at: 0) }
        expectEqual(one, other)
        other.move(id: 250, to: 251)
        expect(one != other)
        other.move(id: 250, to: 250)
        expectEqual(one, other)
        other[id: 499] = "last"
        expect(one != other)
        other.remove(id: 499)
        expect(one != other)
        other.append("499", id: 500)
        expect(one != other)
    }

    @Test(
        "Lists of each small size are equal in whatever order they were built, and unequal if any element differs",
        arguments: 0...40)
    func equalitySmall(count: Int) {
        /// Inserts each element at its place among the others.
        func list(_ numbers: some Sequence<Int>) -> IdentifiedList<Int, Int> {
            var list = IdentifiedList<Int, Int>()
            for number in numbers { list.insert(number, id: number, at: list.count { $0 < number }) }
            return list
        }
        var larger = list(-count..<2 * count)
        for number in -count..<2 * count where !(0..<count).contains(number) { larger.remove(id: number) }
        let built = [
            larger, list(0..<count), list((0..<count).reversed()),
            list((0..<count).sorted { ($0 % 2, $0) < ($1 % 2, $1) }),
            list((0..<count).sorted { abs(2 * $0 - count) < abs(2 * $1 - count) }),
        ]
        for one in built {
            expectEqual(Array(one), Array(0..<count))
            for other in built {
                expectEqual(one, other)
                for place in Budget.sample(Array(0..<count), least: 2) {
                    var changed = other
                    changed[id: place] = -1
                    expect(one != changed)
                }
            }
        }
    }

    @Test("Comparing a list with its version before a change of one element compares the elements of one leaf")
    func comparing() {
        let count: Int = Budget.size(10_000, quick: 1_500)
        let before = IdentifiedList((0..<count).map { CountedNumber($0) }) { $0.number }
        var after = before
        after.update(id: count / 2) { $0.number = -1 }
        var areEqual = true
        expect(CountedNumber.comparisons { areEqual = before == after } <= 16)
        expect(!areEqual)
        after.update(id: count / 2) { $0.number = count / 2 }
        expect(CountedNumber.comparisons { areEqual = before == after } <= 16)
        expect(areEqual)
    }

    @Test("A list of identifiable elements uses their ids, and equals a literal")
    func identifiable() {
        struct Row: Identifiable, Equatable {
            let id: Int
            var title = ""
        }
        var rows = IdentifiedList([Row(id: 7), Row(id: 3), Row(id: 7, title: "seven")])
        expectEqual(rows.map(\.title), ["seven", ""])
        rows[id: 3]?.title = "three"
        let isNew = rows.append(Row(id: 3))
        expect(!isNew)
        rows.insert(Row(id: 1), at: 0)
        rows.sort { $0.id < $1.id }
        expectEqual(rows.ids, [1, 3, 7])
        rows[id: 7] = nil
        rows[id: 9] = Row(id: 9)
        expectEqual(rows.ids, [1, 3, 9])
        rows.removeAll { $0.id > 1 }
        expectEqual(rows, [Row(id: 1)])
        expectEqual("\(IdentifiedList([1, 2]) { $0 })", "[1, 2]")
    }
}
