import MoonFoundation
import MoonlightTestSupport
import Testing

@Suite("Safe access: [safe:] and orThrow")
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

    @Test("`[safe:]` of a string accepts its indices, including `endIndex`")
    func text() {
        let text = "añb"
        expect(text[safe: text.endIndex] == nil)
        expectEqual(text[safe: text.startIndex], "a")
    }

    @Test(
        "Generated: `[safe:]` returns the element at each index, in a list and in a slice",
        arguments: Budget.seeds(300, least: 30))
    func generated(seed: Int) {
        var generator = Dice(seed: seed)
        let whole = Array(0..<Int.random(in: 0...8, using: &generator))
        let cut = whole.isEmpty ? 0 : Int.random(in: 0...whole.count, using: &generator)
        for list in [whole[...], whole[cut...], whole[..<cut]] {
            let index = generator.index()
            expect(list[safe: index] == (list.indices.contains(index) ? list[index] : nil))
        }
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
