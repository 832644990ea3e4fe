import Testing

@testable import Moonlight

@Suite("The history of who has left a list")
struct MembershipHistoryTests {
    private func mark(_ history: MembershipHistory<String>) -> UInt64? {
        var mark: UInt64?
        _ = history.gone(since: &mark)
        return mark
    }

    @Test("those who have left since a step are known in their order, and the mark moves to the last step")
    func since() {
        var history = MembershipHistory<String>()
        history.note(nil)
        history.note("before")
        var mark = mark(history)
        for step in ["a", nil, "b", "a"] { history.note(step) }
        #expect(history.gone(since: &mark) == ["a", "b", "a"])
        #expect(history.gone(since: &mark) == [])
        history.note("c")
        #expect(history.gone(since: &mark) == ["c"])
        history.note(nil)
        #expect(history.gone(since: &mark) == [])
    }

    @Test("without a mark, nothing is known; the mark is then at the last step")
    func withoutMark() {
        var history = MembershipHistory<String>()
        history.note("a")
        var mark: UInt64?
        #expect(history.gone(since: &mark) == nil)
        #expect(mark != nil)
        #expect(history.gone(since: &mark) == [])
    }

    @Test("of a list to which nothing has happened nothing is known, however often it is asked")
    func nothing() {
        let history = MembershipHistory<String>()
        var mark: UInt64?
        for _ in 0..<3 { #expect(history.gone(since: &mark) == nil) }
    }

    @Test("of a list that is not derived from the one that was marked nothing is known")
    func other() {
        var (one, other) = (MembershipHistory<String>(), MembershipHistory<String>())
        one.note("a")
        other.note("b")
        var mark = mark(one)
        other.note("c")
        #expect(other.gone(since: &mark) == nil)
        other.note("d")
        #expect(other.gone(since: &mark) == ["d"])
    }

    @Test("copies that go on by themselves have different histories")
    func copies() {
        var one = MembershipHistory<String>()
        one.note("a")
        var (mark, other) = (mark(one), one)
        one.note("b")
        other.note("c")
        var same = mark
        #expect(one.gone(since: &mark) == ["b"])
        #expect(other.gone(since: &same) == ["c"])
        #expect(other.gone(since: &mark) == nil)
    }

    @Test("sixteen steps back are always known, and after more than 32 nothing is")
    func length() {
        for before in 0..<40 {
            var history = MembershipHistory<String>()
            for _ in 0..<before { history.note(nil) }
            history.note("marked")
            var (near, far) = (mark(history), mark(history))
            for number in 0..<15 { history.note("\(number)") }
            #expect(history.gone(since: &near) == (0..<15).map { "\($0)" })
            for number in 15..<32 { history.note("\(number)") }
            #expect(history.gone(since: &far) == nil)
        }
    }
}
