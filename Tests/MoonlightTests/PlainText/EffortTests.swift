import MoonlightTestSupport
import Testing

@testable import PlainText

@Suite("Effort: the limit on visited parts")
struct EffortTests {
    private var effort = Effort()

    @Test("An effort admits its number of parts, and rejects any further part")
    mutating func bound() {
        let most = spendAll()
        expectEqual(most, Effort.most)
        expect(effort.isSpent)
    }

    @Test("An effort that is used up exactly is not exceeded")
    mutating func enough() {
        let isEnough = effort.spend(Effort.most)
        expect(isEnough)
        expect(!effort.isSpent)
    }

    @Test("A part that exceeds the effort is refused, and so are all later ones, however small")
    mutating func tooMuch() {
        let answers = [Effort.most - 1, 2, 1, 0].map { effort.spend($0) }
        expectEqual(answers, [true, false, false, false])
        expect(effort.isSpent)
    }

    @Test("A text counts as one part for each 64 bytes")
    mutating func texts() {
        let most = effort.spend(Effort.most - 1)
        let short = [63, 1, 0].map { effort.spend(on: String(repeating: "x", count: $0)) }
        expect(most)
        expectEqual(short, [true, true, true])
        expect(!effort.isSpent)
        let (first, second) = (effort.spend(on: String(repeating: "é", count: 32)), effort.spend())
        expect(first)
        expect(!second)
    }

    @Test("Two values share an effort in equal halves")
    mutating func halves() {
        let halves = effort.share({ Self.spend(&$0, upTo: .max) }, { Self.spend(&$0, upTo: .max) })
        expect(halves == (Effort.most / 2, Effort.most / 2))
        expect(effort.isSpent)
    }

    @Test("The remaining effort of two values is available for the next comparison")
    mutating func rest() {
        let counts = effort.share({ Self.spend(&$0, upTo: 10) }, { Self.spend(&$0, upTo: 20) })
        expect(counts == (10, 20))
        expect(!effort.isSpent)
        let rest = spendAll()
        expectEqual(rest, Effort.most - 30)
    }

    @Test("An effort is exceeded if either of two values is too large", arguments: [false, true])
    mutating func oneTooLarge(isFirst: Bool) {
        _ = effort.share(
            { Self.spend(&$0, upTo: isFirst ? .max : 1) }, { Self.spend(&$0, upTo: isFirst ? 1 : .max) })
        expect(effort.isSpent)
    }

    private mutating func spendAll() -> Int { Self.spend(&effort, upTo: .max) }

    private static func spend(_ effort: inout Effort, upTo limit: Int) -> Int {
        var count = 0
        while count < limit, effort.spend() { count += 1 }
        return count
    }
}
