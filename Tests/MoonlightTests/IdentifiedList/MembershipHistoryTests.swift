import MoonlightTestSupport
import Testing

@testable import IdentifiedLists

@Suite("Membership history: ids that were removed from a list")
struct MembershipHistoryTests {
    private func mark(_ history: MembershipHistory<String>) -> UInt64? {
        var mark: UInt64?
        _ = history.gone(since: &mark)
        return mark
    }

    @Test("The history returns the ids removed since a mark in order, and moves the mark to the last step")
    func since() {
        var history = MembershipHistory<String>()
        history.note(nil)
        history.note("before")
        var mark = mark(history)
        for step in ["a", nil, "b", "a"] { history.note(step) }
        expectEqual(history.gone(since: &mark), ["a", "b", "a"])
        expectEqual(history.gone(since: &mark), [])
        history.note("c")
        expectEqual(history.gone(since: &mark), ["c"])
        history.note(nil)
        expectEqual(history.gone(since: &mark), [])
    }

    @Test("The history returns nil without a mark, and sets the mark to the last step")
    func withoutMark() {
        var history = MembershipHistory<String>()
        history.note("a")
        var mark: UInt64?
        expect(history.gone(since: &mark) == nil)
        expect(mark != nil)
        expectEqual(history.gone(since: &mark), [])
    }

    @Test("An empty history always returns nil")
    func nothing() {
        let history = MembershipHistory<String>()
        var mark: UInt64?
        for _ in 0..<3 { expect(history.gone(since: &mark) == nil) }
    }

    @Test("A history that is not derived from the marked one returns nil, and sets the mark")
    func other() {
        var (one, other) = (MembershipHistory<String>(), MembershipHistory<String>())
        one.note("a")
        other.note("b")
        var mark = mark(one)
        other.note("c")
        expect(other.gone(since: &mark) == nil)
        other.note("d")
        expectEqual(other.gone(since: &mark), ["d"])
    }

    @Test("Copies that change independently have different histories")
    func copies() {
        var one = MembershipHistory<String>()
        one.note("a")
        var (mark, other) = (mark(one), one)
        one.note("b")
        other.note("c")
        var same = mark
        expectEqual(one.gone(since: &mark), ["b"])
        expectEqual(other.gone(since: &same), ["c"])
        expect(other.gone(since: &mark) == nil)
    }

    @Test("The history keeps at least the last sixteen steps, and returns nil for a mark more than 32 steps back")
    func length() {
        for before in 0..<40 {
            var history = MembershipHistory<String>()
            for _ in 0..<before { history.note(nil) }
            history.note("marked")
            var (near, far) = (mark(history), mark(history))
            for number in 0..<15 { history.note("\(number)") }
            expectEqual(history.gone(since: &near), (0..<15).map { "\($0)" })
            for number in 15..<32 { history.note("\(number)") }
            expect(history.gone(since: &far) == nil)
        }
    }
}
