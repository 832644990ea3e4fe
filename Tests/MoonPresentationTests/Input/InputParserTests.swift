import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Input: bytes of a terminal")
struct InputParserTests {
    /// A sequence and its inputs as text.
    typealias Row = (String, String)

    static func text(_ inputs: [InputEvent]) -> String { inputs.map(text).joined(separator: " ") }

    private static func text(_ input: InputEvent) -> String {
        switch input {
        case .key(let key): return key.name
        case .paste(let text): return "paste(\(text))"
        case .focus(let hasFocus): return "focus \(hasFocus)"
        case .resize: return "resize"
        case .mouse(let mouse):
            let action = "\(mouse.action)".replacing("(", with: " ").replacing(")", with: "")
            let modifiers = Key(.character("x"), mouse.modifiers).name.dropLast()
            return "\(modifiers)\(action) at \(mouse.point.column),\(mouse.point.row)"
        }
    }

    @Test("Each sequence of bytes gives its inputs")
    func whole() {
        for (sequence, expected) in Self.all {
            var parser = InputParser()
            expectEqual(Self.text(parser.take(sequence.utf8) + parser.endOfBytes()), expected, "\(sequence.debugDescription)")
            expect(parser.pause == nil)
            expectEqual(parser.endOfPause(), [])
        }
    }

    @Test("A sequence gives the same inputs wherever it is cut")
    func cut() {
        for (sequence, expected) in Self.all {
            let bytes = Array(sequence.utf8)
            for place in 0...bytes.count {
                var parser = InputParser()
                let inputs = parser.take(bytes[..<place]) + parser.take(bytes[place...]) + parser.endOfBytes()
                expectEqual(Self.text(inputs), expected, "\(sequence.debugDescription) cut at \(place)")
            }
            var parser = InputParser()
            let inputs = bytes.flatMap { parser.take([$0]) } + parser.endOfBytes()
            expectEqual(Self.text(inputs), expected, "\(sequence.debugDescription) byte by byte")
        }
    }

    @Test("A sequence between others gives its inputs")
    func neighbors() {
        for (sequence, expected) in Self.all where sequence != "\u{301}" {
            var parser = InputParser()
            let inputs = parser.take("x\(sequence)\u{1B}[A".utf8)
            expectEqual(Self.text(inputs), ["x", expected, "↑"].filter { !$0.isEmpty }.joined(separator: " "))
        }
    }

    @Test("An incomplete sequence is dropped by a pause, and nothing of it is typed")
    func pauses() {
        for (sequence, expected) in Self.named + Self.protocols + Self.answers where sequence.hasPrefix("\u{1B}[") {
            let bytes = Array(sequence.utf8)
            for place in 3..<max(3, bytes.count) {
                var parser = InputParser()
                let before = parser.take(bytes[..<place]) + parser.endOfBytes()
                guard parser.pause == .milliseconds(500) else { continue }
                // Before the pause, only whole inputs have arrived, and the pause adds none.
                expect(expected.hasPrefix(Self.text(before)))
                expectEqual(parser.endOfPause(), [], "\(sequence.debugDescription) cut at \(place)")
                expectEqual(parser.take("a".utf8) + parser.endOfBytes(), [.key("a")])
            }
        }
    }

    static let undecided: [Row] = [
        ("\u{1B}", "Esc"), ("\u{1B}\u{1B}", "Esc Esc"), ("\u{1B}[", "Alt-["), ("\u{1B}O", "Alt-O"), ("\u{1B}]", "Alt-]"),
        ("\u{1B}P", "Alt-P"), ("\u{1B}\u{1B}[", "Esc Alt-["), ("\u{1B}\u{1B}\u{1B}", "Esc Esc Esc"),
    ]

    @Test("A pause decides between a key and the beginning of a sequence", arguments: undecided)
    func decided(_ sequence: String, _ expected: String) {
        var parser = InputParser()
        let before = parser.take(sequence.utf8) + parser.endOfBytes()
        expectEqual(parser.pause, .milliseconds(50))
        expectEqual(Self.text(before + parser.endOfPause()), expected)
        expect(parser.pause == nil)
    }

    @Test(
        "The parser waits longer for the rest of a sequence if that delays no key",
        arguments: ["\u{1B}[1", "\u{1B}O1", "\u{1B}]1", "\u{1B}[M!", "\u{1B}]\u{1B}"])
    func longPause(_ text: String) {
        var parser = InputParser()
        expectEqual(parser.take(text.utf8), [])
        expectEqual(parser.pause, .milliseconds(500))
    }

    @Test("A character is reported as soon as no more bytes are available")
    func endOfBytes() {
        var parser = InputParser()
        expectEqual(parser.take("a".utf8), [])
        expect(parser.pause == nil)
        expectEqual(parser.endOfBytes(), [.key("a")])
        expectEqual(parser.endOfBytes(), [])
    }

    @Test("A key with Super, Hyper or Meta types no character", arguments: [9, 17, 33, 18, 34])
    func commands(_ modifiers: Int) throws {
        var parser = InputParser()
        let inputs = parser.take("\u{1B}[120;\(modifiers)u".utf8)
        guard case .key(let key) = try #require(inputs.first) else { return expect(false) }
        expect(key.character == nil && key != "x" && inputs.count == 1)
    }

    @Test("A pause does not end a paste, because the rest of the text must not become keys")
    func pausedPaste() {
        var parser = InputParser()
        expectEqual(parser.take("\u{1B}[200~a\u{1B}".utf8), [])
        expect(parser.pause == nil)
        expectEqual(parser.endOfPause(), [])
        expectEqual(parser.take("q\u{1B}[201~".utf8), [.paste("a\u{1B}q")])
    }

    @Test("A long paste arrives in pieces that break no character")
    func longPaste() {
        let text = String(repeating: "aé月🦊", count: 50)
        for longest in 8...20 {
            var parser = InputParser(longestPaste: longest)
            let inputs = parser.take("\u{1B}[200~\(text)\u{1B}[201~x".utf8) + parser.endOfBytes()
            let pieces = inputs.compactMap { if case .paste(let piece) = $0 { piece } else { nil } }
            expectEqual(pieces.joined(), text)
            expect(pieces.allSatisfy { $0.utf8.count <= longest })
            expect(inputs.last == .key("x") && inputs.count == pieces.count + 1)
        }
    }

    @Test(
        "Bytes that are not valid text are not typed",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xC3],
            [0xE2, 0x82], [0x9B, 0x80],
        ] as [[UInt8]])
    func invalid(_ bytes: [UInt8]) {
        var parser = InputParser()
        expectEqual(parser.take(bytes) + parser.take("a".utf8) + parser.endOfBytes(), [.key("a")])
    }

    @Test("An endless sequence takes a bounded amount of memory, and nothing of it is typed")
    func endless() {
        for (start, byte, end) in [
            ("\u{1B}[", "1", "~"), ("\u{1B}]", "x", "\u{7}"), ("\u{1B}O", "1", "A"), ("\u{1B}P", "x", "\u{1B}\\"),
        ] {
            var parser = InputParser()
            expectEqual(parser.take(start.utf8), [])
            for _ in 0..<Budget.size(100, quick: 10) {
                expectEqual(parser.take(repeatElement(byte.utf8.first!, count: 1000)), [])
            }
            expect(MemoryLayout.size(ofValue: parser) < 500)
            expect(parser.take(end.utf8).count <= 1)
            expectEqual(parser.take("a".utf8) + parser.endOfBytes(), [.key("a")])
        }
    }

    @Test("A control sequence that is too long gives no key")
    func longControl() {
        var parser = InputParser()
        expectEqual(parser.take("\u{1B}[1\(String(repeating: ";1", count: 47))A".utf8), [.key(.up)])
        expectEqual(parser.take("\u{1B}[1\(String(repeating: ";1", count: 48))A".utf8), [])
        expectEqual(parser.take("\u{1B}[A".utf8), [.key(.up)])
    }

    @Test("A letter with an endless series of accents becomes several characters")
    func accents() {
        var parser = InputParser()
        let inputs = parser.take(("e" + String(repeating: "\u{301}", count: 100)).utf8) + parser.endOfBytes()
        expectEqual(inputs.count, 4)
    }
}
