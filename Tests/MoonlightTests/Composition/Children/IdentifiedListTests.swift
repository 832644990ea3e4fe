import Moonlight
import MoonlightTestSupport
import Testing

@Suite("A list of identified elements")
struct IdentifiedListTests {
    private struct Clash: Hashable, Sendable {
        let value: Int
        // Three hashes for all, so that ids collide.
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
                #expect(isNew == (known == nil))
                if known == nil { model.append((id, step)) }
            case 2:
                let place = dice.roll(model.count + 1)
                let isNew = list.insert(step, id: id, at: place)
                #expect(isNew == (known == nil))
                if known == nil { model.insert((id, step), at: place) }
            case 3:
                let removed = list.remove(id)
                #expect(removed == known.map { model[$0].value })
                if let known { model.remove(at: known) }
            case 4 where !model.isEmpty:
                let place = dice.roll(model.count)
                let (removed, expected) = (list.remove(at: place), model.remove(at: place).value)
                #expect(removed == expected)
            case 5 where known != nil:
                let place = dice.roll(model.count)
                list.move(id, to: place)
                let moved = model.remove(at: known!)
                model.insert(moved, at: place)
            default:
                let updated: Void? = list.update(id) { $0 += 1000 }
                #expect((updated != nil) == (known != nil))
                if let known { model[known].value += 1000 }
            }
            #expect(list.position(of: id) == model.firstIndex { $0.id == id })
            #expect(list[id: id] == model.first { $0.id == id }?.value)
            if step % 50 == 0 {
                versions.append((list, model.map(\.value)))
                #expect(list.ids == model.map(\.id))
                #expect(Array(list) == model.map(\.value))
                #expect(model.indices.allSatisfy { list[$0] == model[$0].value && list.id(at: $0) == model[$0].id })
            }
        }
        // What was kept has not changed with what came after it.
        for (version, values) in versions { #expect(Array(version) == values) }
    }

    @Test("does what an array of pairs does, and leaves its older versions alone", arguments: 1...8)
    func model(seed: Int) { compare(seed: seed, steps: 600) { $0 } }

    @Test("finds elements whose ids have the same hash", arguments: 1...5)
    func clashes(seed: Int) { compare(seed: seed, steps: 400) { Clash(value: $0) } }

    @Test("tells whether there was something to move, and stays as it was if not")
    func moving() {
        var list = IdentifiedList([1, 2, 3]) { $0 }
        let moved = [1, 4].map { list.move($0, to: 2) }
        #expect(moved == [true, false])
        #expect(list.ids == [2, 3, 1])
        #expect([1, 2, 3, 4].map { list.position(of: $0) } == [2, 0, 1, nil])
    }

    @Test("stays as it was if what is to be removed or how to sort it cannot be told")
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
        #expect(list.ids == [3, 1, 2])
    }

    @Test("holds thousands, put in from the front, the back and the middle")
    func large() {
        var list = IdentifiedList<Int, Int>()
        for number in 0..<3000 { list.append(number, id: number) }
        for number in 3000..<6000 { list.insert(number, id: number, at: 0) }
        for number in 6000..<10_000 { list.insert(number, id: number, at: 3000) }
        #expect(list.count == 10_000)
        #expect(list.first == 5999)
        #expect(list[3000] == 9999)
        #expect(list.last == 2999)
        #expect(list.position(of: 6000) == 6999)
        for number in 0..<9999 { list.remove(number) }
        #expect(Array(list) == [9999])
    }

    @Test("makes room where many are put in at the same place", arguments: [0, 1, 50, 99, 100])
    func samePlace(place: Int) {
        var list = IdentifiedList(0..<100) { $0 }
        var model = Array(0..<100)
        for number in 100..<3000 {
            list.insert(number, id: number, at: place)
            model.insert(number, at: place)
        }
        for number in 3000..<4000 {
            list.insert(number, id: number, at: number - 2990)
            model.insert(number, at: number - 2990)
        }
        #expect(list.elementsEqual(model))
        #expect(model.allSatisfy { list.position(of: $0).map { model[$0] } == $0 })
    }

    @Test("is equal to one with equal elements under equal ids in the same order, however they came there")
    func equality() {
        var one = IdentifiedList<Int, String>()
        var other = IdentifiedList<Int, String>()
        for number in 0..<500 { one.append("\(number)", id: number) }
        for number in (0..<500).reversed() { other.insert("\(number)", id: number, at: 0) }
        #expect(one == other)
        other.move(250, to: 251)
        #expect(one != other)
        other.move(250, to: 250)
        #expect(one == other)
        other[id: 499] = "last"
        #expect(one != other)
        other.remove(499)
        #expect(one != other)
        other.append("499", id: 500)
        #expect(one != other)
    }

    @Test("is equal to one of the same elements whatever their number, and in whatever order either was built", arguments: 0...40)
    func equalitySmall(count: Int) {
        /// Puts each in at its place among those that are there.
        func list(_ numbers: some Sequence<Int>) -> IdentifiedList<Int, Int> {
            var list = IdentifiedList<Int, Int>()
            for number in numbers { list.insert(number, id: number, at: list.count { $0 < number }) }
            return list
        }
        var larger = list(-count..<2 * count)
        for number in -count..<2 * count where !(0..<count).contains(number) { larger.remove(number) }
        let built = [
            larger, list(0..<count), list((0..<count).reversed()),
            list((0..<count).sorted { ($0 % 2, $0) < ($1 % 2, $1) }),
            list((0..<count).sorted { abs(2 * $0 - count) < abs(2 * $1 - count) }),
        ]
        for one in built {
            #expect(Array(one) == Array(0..<count))
            for other in built {
                #expect(one == other)
                for place in 0..<count {
                    var changed = other
                    changed[id: place] = -1
                    #expect(one != changed)
                }
            }
        }
    }

    @Test("looks at one leaf when it is compared with what it was before a change")
    func comparing() {
        let before = IdentifiedList((0..<10_000).map { CountedNumber($0) }) { $0.number }
        var after = before
        after.update(5000) { $0.number = -1 }
        var areEqual = true
        #expect(CountedNumber.comparisons { areEqual = before == after } <= 16)
        #expect(!areEqual)
        after.update(5000) { $0.number = 5000 }
        #expect(CountedNumber.comparisons { areEqual = before == after } <= 16)
        #expect(areEqual)
    }

    @Test("of Identifiable elements needs no ids, and can be written as a literal")
    func identifiable() {
        struct Row: Identifiable, Equatable {
            let id: Int
            var title = ""
        }
        var rows = IdentifiedList([Row(id: 7), Row(id: 3), Row(id: 7, title: "seven")])
        #expect(rows.map(\.title) == ["seven", ""])
        rows[id: 3]?.title = "three"
        let isNew = rows.append(Row(id: 3))
        #expect(!isNew)
        rows.insert(Row(id: 1), at: 0)
        rows.sort { $0.id < $1.id }
        #expect(rows.ids == [1, 3, 7])
        rows[id: 7] = nil
        rows[id: 9] = Row(id: 9)
        #expect(rows.ids == [1, 3, 9])
        rows.removeAll { $0.id > 1 }
        #expect(rows == [Row(id: 1)])
        #expect("\(IdentifiedList([1, 2]) { $0 })" == "[1, 2]")
    }
}
