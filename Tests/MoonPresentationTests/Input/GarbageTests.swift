import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Input: invalid bytes")
struct GarbageTests {
    /// Random pieces of sequences and noise.
    private func garbage(_ dice: inout Dice) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<(1 + dice.roll(30)) {
            switch dice.roll(4) {
            case 0: bytes += (0..<dice.roll(8)).map { _ in UInt8(dice.roll(256)) }
            case 1:
                let row = Array(InputParserTests.all[dice.roll(InputParserTests.all.count)].0.utf8)
                bytes += row.prefix(dice.roll(row.count + 1))
            case 2: bytes += Array(InputParserTests.all[dice.roll(InputParserTests.all.count)].0.utf8)
            default:
                bytes +=
                    [0x1B, [0x5B, 0x4F, 0x5D, 0x50, 0x1B][dice.roll(5)]]
                    + (0..<dice.roll(6)).map { _ in UInt8(0x20 + dice.roll(95)) }
            }
        }
        return bytes
    }

    @Test("Invalid bytes give the same inputs wherever they are cut, and type no control character")
    func cuts() {
        for seed in Budget.seeds(3000, least: 300) {
            var dice = Dice(seed: seed)
            let bytes = garbage(&dice)
            var whole = InputParser()
            let expected = whole.take(bytes) + whole.endOfBytes() + whole.endOfPause()
            var cut = InputParser()
            var inputs: [InputEvent] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = 1 + dice.roll(rest.count)
                inputs += cut.take(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            inputs += cut.endOfBytes() + cut.endOfPause()
            expectEqual(inputs, expected, "seed \(seed)")
            for case .key(let key) in inputs {
                guard case .character(let character) = key.code else { continue }
                expect(character.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }, "seed \(seed)")
            }
        }
    }

    @Test("A key after invalid bytes and a pause is recognized, unless text is being pasted")
    func recovery() {
        for seed in Budget.seeds(3000, least: 300) {
            var dice = Dice(seed: seed)
            var parser = InputParser()
            _ = parser.take(garbage(&dice))
            _ = parser.endOfPause()
            // Ends a paste that the garbage may have begun.
            _ = parser.take("\u{1B}[201~".utf8)
            expectEqual(parser.take("q".utf8) + parser.endOfBytes(), [.key("q")], "seed \(seed)")
        }
    }
}
