import Testing

@testable import Moonlight

@Suite("How much of a value is looked at")
struct EffortTests {
    private var effort = Effort()

    @Test("so many parts are looked at, and then no more")
    mutating func bound() {
        let most = spendAll()
        #expect(most == Effort.most)
        #expect(effort.isSpent)
    }

    @Test("what is just enough does not exhaust it")
    mutating func enough() {
        let isEnough = effort.spend(Effort.most)
        #expect(isEnough)
        #expect(!effort.isSpent)
    }

    @Test("what is too much is not looked at, and nor is anything after it, however little")
    mutating func tooMuch() {
        let answers = [Effort.most - 1, 2, 1, 0].map { effort.spend($0) }
        #expect(answers == [true, false, false, false])
        #expect(effort.isSpent)
    }

    @Test("sixty-four bytes of a text count as a part")
    mutating func texts() {
        let most = effort.spend(Effort.most - 1)
        let short = [63, 1, 0].map { effort.spend(on: String(repeating: "x", count: $0)) }
        #expect(most)
        #expect(short == [true, true, true])
        #expect(!effort.isSpent)
        let (first, second) = (effort.spend(on: String(repeating: "é", count: 32)), effort.spend())
        #expect(first)
        #expect(!second)
    }

    @Test("two values are looked at with the same effort each")
    mutating func halves() {
        let halves = effort.share({ Self.spend(&$0, upTo: .max) }, { Self.spend(&$0, upTo: .max) })
        #expect(halves == (Effort.most / 2, Effort.most / 2))
        #expect(effort.isSpent)
    }

    @Test("what two values have left serves what comes after")
    mutating func rest() {
        let counts = effort.share({ Self.spend(&$0, upTo: 10) }, { Self.spend(&$0, upTo: 20) })
        #expect(counts == (10, 20))
        #expect(!effort.isSpent)
        let rest = spendAll()
        #expect(rest == Effort.most - 30)
    }

    @Test("that one of two values was too large is known", arguments: [false, true])
    mutating func oneTooLarge(isFirst: Bool) {
        _ = effort.share(
            { Self.spend(&$0, upTo: isFirst ? .max : 1) }, { Self.spend(&$0, upTo: isFirst ? 1 : .max) })
        #expect(effort.isSpent)
    }

    private mutating func spendAll() -> Int { Self.spend(&effort, upTo: .max) }

    private static func spend(_ effort: inout Effort, upTo limit: Int) -> Int {
        var count = 0
        while count < limit, effort.spend() { count += 1 }
        return count
    }
}
