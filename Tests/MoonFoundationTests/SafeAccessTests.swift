import MoonFoundation
import MoonlightTestSupport
import Testing

@Suite("Safe access: [safe:], [id:] and orThrow")
struct SafeAccessTests {
    @Test("`[safe:]` is nil for an index below or above the range, also in a slice")
    func index() {
        let slice = [0, 1, 2, 3][1..<3]
        expectEqual([1, 2, 3][safe: 1], 2)
        expect([1, 2, 3][safe: 3] == nil)
        expect([1, 2, 3][safe: -1] == nil)
        expect([1, 2, 3][safe: .min] == nil)
        expect([1, 2, 3][safe: .max] == nil)
        expect(slice[safe: 0] == nil)
        expectEqual(slice[safe: 2], 2)
        expect(slice[safe: 3] == nil)
    }

    @Test("`[safe:]` with a range returns the elements in bounds")
    func ranges() {
        let numbers = [1, 2, 3]
        expectEqual(numbers[safe: 1..<9], [2, 3])
        expectEqual(numbers[safe: -4..<2], [1, 2])
        expectEqual(numbers[safe: 7..<9], [])
        expectEqual(numbers[safe: -9 ..< -7], [])
        expectEqual(numbers[safe: 1...], [2, 3])
    }

    @Test("`[safe:]` with a range up to the largest `Int` does not overflow")
    func extremes() {
        let numbers = [1, 2, 3]
        expectEqual(numbers[safe: Int.min..<Int.max], [1, 2, 3])
        expectEqual(numbers[safe: Int.max...], [])
        expectEqual(numbers[safe: Int.min...], [1, 2, 3])
    }

    @Test("`[safe:]` of a string accepts its indices, including `endIndex`")
    func text() {
        let text = "añb"
        expect(text[safe: text.endIndex] == nil)
        expectEqual(text[safe: text.endIndex...], "")
    }

    @Test(
        "Generated: `[safe:]` with a range returns the elements whose indices are in it, in a list and in a slice",
        arguments: Budget.seeds(300, least: 30))
    func clamping(seed: Int) {
        var generator = Dice(seed: seed)
        let whole = Array(0..<Int.random(in: 0...8, using: &generator))
        let cut = whole.isEmpty ? 0 : Int.random(in: 0...whole.count, using: &generator)
        for list in [whole[...], whole[cut...], whole[..<cut]] {
            let one = generator.index()
            let other = generator.index()
            let (low, high) = (min(one, other), max(one, other))
            expectEqual(Array(list[safe: low..<high]), list.indices.filter { (low..<high).contains($0) })
            expectEqual(Array(list[safe: low...]), list.indices.filter { $0 >= low })
            expect(list[safe: one] == (list.indices.contains(one) ? list[one] : nil))
        }
    }

    @Test("`[id:]` returns the first element with that id")
    func id() {
        let named = [Named(id: 1, name: "a"), Named(id: 2, name: "b"), Named(id: 1, name: "c")]
        expectEqual(named[id: 1]?.name, "a")
        expect(named[id: 3] == nil)
    }

    private struct Missing: Error {}

    @Test("`orThrow` returns the value, and evaluates the error only to throw it")
    func orThrow() throws {
        var made = 0
        func missing() -> Missing {
            made += 1
            return Missing()
        }
        try expectEqual(Int?(7).orThrow(missing()), 7)
        expectEqual(made, 0)
        #expect(throws: Missing.self) { try Int?.none.orThrow(missing()) }
        expectEqual(made, 1)
    }

    @Test("`orThrow` throws its error with its type, so that a catch needs no cast")
    func orThrowIsTyped() {
        do {
            _ = try Int?.none.orThrow(Missing())
            Issue.record("nothing was thrown")
        } catch {
            let missing: Missing = error
            _ = missing
        }
    }
}

struct Named: Identifiable, Equatable {
    let id: Int
    var name: String
}
