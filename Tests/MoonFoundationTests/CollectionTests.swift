import MoonFoundation
import Testing

@Suite("MoonFoundation: neighbours and safe access")
struct CollectionTests {
    @Test("next(after:) is the element after the first occurrence")
    func next() {
        #expect([1, 2, 3].next(after: 2) == 3)
        #expect([1, 2, 1, 3].next(after: 1) == 2)
        #expect("abc".next(after: "a") == "b")
    }

    @Test("next(after:) is nil at the end and when the element is absent")
    func nextAtTheEnd() {
        #expect([1, 2, 3].next(after: 3) == nil)
        #expect([1, 2, 3].next(after: 4) == nil)
        #expect([Int]().next(after: 1) == nil)
    }

    @Test("previous(before:) is the element before the first occurrence")
    func previous() {
        #expect([1, 2, 3].previous(before: 2) == 1)
        #expect([3, 1, 2, 1].previous(before: 1) == 3)
    }

    @Test("previous(before:) is nil at the start and when the element is absent")
    func previousAtTheStart() {
        #expect([1, 2, 3].previous(before: 1) == nil)
        #expect([1, 2, 3].previous(before: 4) == nil)
    }

    @Test("wrapping goes round both ends, but not to an absent element")
    func wrapping() {
        #expect([1, 2, 3].next(after: 3, wrapping: true) == 1)
        #expect([1, 2, 3].previous(before: 1, wrapping: true) == 3)
        #expect([1].next(after: 1, wrapping: true) == 1)
        #expect([1, 2, 3].next(after: 4, wrapping: true) == nil)
    }

    @Test("[safe:] is nil out of range, below as above, also in a slice")
    func safe() {
        let slice = [0, 1, 2, 3][1..<3]
        #expect([1, 2, 3][safe: 1] == 2)
        #expect([1, 2, 3][safe: 3] == nil)
        #expect([1, 2, 3][safe: -1] == nil)
        #expect(slice[safe: 0] == nil)
        #expect(slice[safe: 2] == 2)
        #expect(slice[safe: 3] == nil)
    }

    private struct Missing: Error {}

    @Test("orThrow gives the value, and makes the error only when it is needed")
    func orThrow() throws {
        var made = 0
        func missing() -> Missing {
            made += 1
            return Missing()
        }
        #expect(try Int?(7).orThrow(missing()) == 7)
        #expect(made == 0)
        #expect(throws: Missing.self) { try Int?.none.orThrow(missing()) }
        #expect(made == 1)
    }
}
