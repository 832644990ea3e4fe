import MoonlightTestSupport
import PlainText
import Testing

// The depth limit of comparisons.
extension StateChangeTests {
    /// A chain of a number of objects above one.
    private func chain(_ looks: Tally, _ length: Int, above last: Counted) -> Counted {
        (0..<length).reduce(last) { inner, _ in Counted(looks, 0, inner) }
    }

    @Test("An object that was compared up to the depth limit has its changes listed once, also where it occurs again")
    func asDeepAgain() {
        func state(_ value: Int) -> Counted {
            let looks = Tally()
            let shared = Counted(looks, value, chain(looks, 70, above: Counted(looks, value)))
            return Counted(looks, 0, shared, shared)
        }
        expectEqual(StateChange.between(state(1), state(2)).map(\.path), ["first.value", "…"])
    }

    @Test("An object that was compared completely is not compared again")
    func inFull() {
        func state(_ value: Int) -> Counted {
            let looks = Tally()
            let inner = Counted(looks, value)
            let shared = Counted(looks, value, inner, inner)
            return Counted(looks, 0, chain(looks, 2, above: shared), shared)
        }
        expectEqual(
            diff(state(1), state(2)), ["first.first.first.value 1 -> 2", "first.first.first.first.value 1 -> 2"])
    }

    @Test("An object that holds one too deep to be compared is not compared again where it is met less deep: the list is cut")
    func holderOfDeep() {
        func state(_ value: Int) -> Counted {
            let looks = Tally()
            let deep = chain(looks, 30, above: Counted(looks, value))
            let holder = Counted(looks, 0, deep)
            let first = Counted(looks, 0, chain(looks, 40, above: deep), chain(looks, 45, above: holder))
            return Counted(looks, 0, first, holder)
        }
        expectEqual(StateChange.between(state(1), state(2)).map(\.isCut), [true])
    }

    @Test("A part is compared and described down to a depth of 64")
    func depth() {
        func nested(_ depth: Int, _ value: Int) -> Counted { chain(Tally(), depth, above: Counted(Tally(), value)) }
        expectEqual(diff(nested(62, 1), nested(62, 2)).count, 1)
        expectEqual(diff(nested(63, 1), nested(63, 2)).count, 1)
        expectEqual(StateChange.between(nested(64, 1), nested(64, 2)).map(\.isCut), [true])
        expectEqual(StateChange.between(nested(70, 1), nested(70, 2)).map(\.isCut), [true])
    }

    @Test("Elements, entries, fields and cases are one level below the value that contains them")
    func comparedLevels() {
        let holders: [(Any) -> Any] = [
            { [$0] }, { [$0, 0] }, { [0, $0] }, { ["key": $0] }, { (0, $0) }, { Any?.some($0) as Any },
        ]
        for holder in holders {
            func nested(_ leaf: Int) -> Any { (0..<60).reduce(leaf) { value, _ in holder(value) } }
            expectEqual(StateChange.between(nested(1), nested(2)).map(\.before), ["1"])
        }
    }

    @Test("Equal elements at either end of a list with objects are one level below it, too")
    func hiddenLevels() {
        final class Knot {
            let inner: Any
            init(_ inner: Any) { self.inner = inner }
        }
        let holders: [(Any, Int) -> [Any]] = [{ [$1, Knot($0)] }, { [Knot($0), $1] }]
        for holder in holders {
            // Two levels each: 50 are less than 64.
            func nested(_ leaf: Int) -> Any { (0..<25).reduce(leaf) { value, _ in holder(value, leaf) } }
            let changes = StateChange.between(nested(1), nested(2))
            expectEqual(changes.count, 26)
            expect(changes.filter(\.isCut).isEmpty)
        }
    }

    @Test("A part below the depth limit cuts the list of changes only if it may hide a change")
    func hiddenChanges() {
        let looks = Tally()
        func isCut(_ before: Counted, _ after: Counted) -> Bool {
            let (before, after) = (chain(looks, 63, above: before), chain(looks, 63, above: after))
            return StateChange.between(before, after).contains(where: \.isCut)
        }
        let (one, other) = (Counted(looks, 5), Counted(looks, 5))
        // The last ones are 63 deep, and their fields 64.
        expect(!isCut(Counted(looks, 1), Counted(looks, 1)))
        expect(!isCut(Counted(looks, 1, one), Counted(looks, 1, one)))
        expect(isCut(Counted(looks, 1, one), Counted(looks, 1, other)))
        expect(!isCut(Counted(looks, 1, one), Counted(looks, 1)))
        // Equally deep, and less deep elsewhere, where the change is found.
        func state(_ value: Int, elsewhere: Bool) -> Counted {
            let object = Counted(looks, value)
            return Counted(looks, 0, chain(looks, 63, above: object), elsewhere ? object : nil)
        }
        expectEqual(StateChange.between(state(1, elsewhere: true), state(2, elsewhere: true)).map(\.path), ["second.value", "…"])
        expectEqual(StateChange.between(state(1, elsewhere: false), state(2, elsewhere: false)).map(\.isCut), [true])
    }

    @Test("A part that may hide a change cuts the list, even if an object in it is compared elsewhere")
    func hiddenBeside() {
        final class Knot {
            let (first, second): (Any, Any)
            init(_ first: Any, _ second: Any = 0) {
                self.first = first
                self.second = second
            }
        }
        func pair() -> Any { (0..<10).reduce(1 as Any) { value, _ in (value, 0) } }
        func state() -> Knot {
            let inner = Knot(pair())
            let outer = Knot(inner, pair())
            return Knot((0..<57).reduce(outer) { knot, _ in Knot(knot) }, inner)
        }
        expectEqual(StateChange.between(state(), state()).map(\.isCut), [true])
    }

    @Test("An object that occurs first within the depth limit and then below it cuts nothing")
    func metBefore() {
        let looks = Tally()
        func state(_ value: Int) -> Counted {
            let object = Counted(looks, value)
            return Counted(looks, 0, object, chain(looks, 63, above: object))
        }
        expectEqual(diff(state(1), state(2)), ["first.value 1 -> 2"])
    }

    @Test("Elements that differ below the depth limit cut the list of changes; members and keys are compared completely")
    func deepElements() {
        indirect enum Nest: Hashable {
            case leaf(Int)
            case nested(Nest)
        }
        func nest(_ leaf: Int) -> Nest { (0..<140).reduce(.leaf(leaf)) { nest, _ in .nested(nest) } }
        func isCut<Value>(_ before: Value, _ after: Value) -> Bool { StateChange.between(before, after).contains(where: \.isCut) }
        let (one, other) = (nest(1), nest(2))
        expect(isCut([one], [other]))
        expect(isCut([.leaf(3), one], [.leaf(4), other]))
        expect(isCut([one, .leaf(3)], [other, .leaf(4)]))
        expect(!isCut(Set([one]), Set([other])))
        expect(!isCut([one: 1], [other: 1]))
        expectEqual(diff(Set([one]), Set([other])).count, 2)
        expectEqual(diff([one: 1], [other: 1]).count, 2)
        expect(!isCut([one], []))
        expect(!isCut([.leaf(1)], [one]))
        expect(!isCut([Nest.leaf(1)], [.leaf(2)]))
    }

    @Test("A value that becomes one of another type is a change, even if the descriptions are equal")
    func typesThatLookAlike() {
        func nested(_ leaf: Int) -> [Any] { (0..<70).reduce([leaf]) { list, _ in [list] } }
        expectEqual(StateChange.between(nested(1) as Any, ContiguousArray(nested(2)) as Any).map(\.isCut), [false])
        expectEqual(diff(1 as Any, UInt(1) as Any), ["1 -> 1"])
    }
}
