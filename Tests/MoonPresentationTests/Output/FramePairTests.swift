import FramesTool
import MoonlightTestSupport
import Testing

@testable import MoonPresentation

/// Pairs of frames with difficult characters. Writing the second must leave the screen as if it had been shown alone.
/// `make frames` plays 10,000 of them.
@Suite("Output: pairs of frames in the emulator")
struct FramePairTests {
    private static let seeds = Budget.seeds(300)
    /// Sizes are small, unless many pairs are asked for.
    private static let limit = seeds.count > 300 ? FramePair.largest : Size(columns: 60, rows: 14)

    private func screen(
        _ frames: [Canvas], _ capabilities: TerminalCapabilities, _ counting: Emulator.Counting
    ) -> Emulator {
        var emulator = Emulator(size: frames[0].size, counting: counting)
        var writer = FrameWriter(capabilities: capabilities)
        emulator.feed(writer.enter())
        for frame in frames { emulator.feed(writer.bytes(for: frame)) }
        emulator.dropUnseenStyles()
        return emulator
    }

    private func compare(_ capabilities: TerminalCapabilities, _ counting: Emulator.Counting) {
        for seed in Self.seeds {
            let pair = FramePair(seed: seed, limit: Self.limit)
            let changed = screen([pair.first, pair.second], capabilities, counting)
            let whole = screen([pair.second], capabilities, counting)
            for row in changed.rows.indices where changed.rows[row] != whole.rows[row] {
                Issue.record(
                    """
                    seed \(seed), row \(row) of \(pair.second.size):
                    \(changed.rows[row].cells.map(\.text))
                    \(whole.rows[row].cells.map(\.text))
                    \(zip(changed.rows[row].cells, whole.rows[row].cells).first { $0 != $1 }.map { "\($0)" } ?? "")
                    """)
                return
            }
            expect(changed.unknown.isEmpty && changed.scrollback.isEmpty && changed.modes == whole.modes, "seed \(seed)")
            if whole.isCursorVisible {
                expect(changed.row == whole.row && changed.column == whole.column, "seed \(seed)")
            }
        }
    }

    @Test("A terminal that counts clusters shows each frame cell by cell, with its styles")
    func cells() {
        let capabilities = TerminalCapabilities(colors: .rgb, graphemeClusters: true)
        for seed in Self.seeds {
            let pair = FramePair(seed: seed, limit: Self.limit)
            let shown = screen([pair.first, pair.second], capabilities, .clusters)
            for row in shown.rows.indices {
                for column in shown.rows[row].cells.indices {
                    let (cell, place) = (shown.rows[row].cells[column], Point(column: column, row: row))
                    guard cell.text == pair.second.text(at: place),
                        cell.style == Emulator.Pen(seen: pair.second.style(at: place), on: cell.text)
                    else {
                        Issue.record(
                            "seed \(seed), \(place): \(cell) instead of \(pair.second.text(at: place) ?? "nil") \(pair.second.style(at: place))"
                        )
                        return
                    }
                }
            }
            if let cursor = pair.second.cursor {
                expect(shown.isCursorVisible && Point(column: shown.column, row: shown.row) == cursor, "seed \(seed)")
            } else {
                expect(!shown.isCursorVisible, "seed \(seed)")
            }
        }
    }

    @Test("A terminal that counts clusters shows the second frame as if it were alone")
    func clusters() { compare(TerminalCapabilities(colors: .rgb, graphemeClusters: true), .clusters) }

    @Test("A terminal that counts clusters without reporting it shows the second frame as if it were alone")
    func unknownClusters() { compare(TerminalCapabilities(colors: .palette256, synchronizedOutput: true), .clusters) }

    @Test("A terminal that counts code points shows the same after a change as after a repaint")
    func codePoints() { compare(TerminalCapabilities(colors: .ansi16, hyperlinks: false), .codePoints) }

    @Test("A terminal without margins and colors shows the same after a change as after a repaint")
    func simple() { compare(TerminalCapabilities(colors: .none, scrollRegions: false), .codePoints) }
}

extension Emulator.Pen {
    /// The visible part of a style: without a foreground color on a blank.
    init(seen style: Style, on text: String) {
        self.init()
        func numbers(_ color: Color, base: Int) -> [Int] {
            let value = Int(color.bits & 255)
            return switch color.bits >> 24 {
            case 1: [value < 8 ? base + value : base + 52 + value]
            case 2: [5, value]
            case 3: [2, Int(color.bits >> 16 & 255), Int(color.bits >> 8 & 255), value]
            default: []
            }
        }
        let numbersOfAttributes: [(Style.Attributes, Int)] = [
            (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.inverse, 7), (.strikethrough, 9),
        ]
        foreground = numbers(style.foreground, base: 30)
        background = numbers(style.background, base: 30)
        attributes = Set(numbersOfAttributes.filter { style.attributes.contains($0.0) }.map(\.1))
        link = style.link ?? ""
        self = text == " " ? seenOnBlank : self
    }

    /// The visible part of a pen on a blank.
    var seenOnBlank: Self { background.isEmpty && link.isEmpty && attributes.isDisjoint(with: [4, 7, 9]) ? Self() : self }
}

extension Emulator {
    /// Removes invisible styles of blanks.
    mutating func dropUnseenStyles() {
        for row in rows.indices {
            for column in rows[row].cells.indices where rows[row].cells[column].text == " " {
                rows[row].cells[column].style = rows[row].cells[column].style.seenOnBlank
            }
        }
    }
}
