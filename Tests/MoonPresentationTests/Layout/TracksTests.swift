import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Layout: rows and columns")
struct TracksTests {
    private func sizes(_ total: Int, _ lengths: [Length], spacing: Int = 0, natural: [Int?] = []) -> [Int] {
        Tracks(total, lengths: lengths, spacing: spacing, natural: { $0 < natural.count ? natural[$0] : nil }).ranges.map(\.count)
    }

    @Test("Shares are rounded down, and the remaining cells go to the first ones")
    func shares() {
        expectEqual(sizes(11, [.share(), .share(), .share()]), [4, 4, 3])
        expectEqual(sizes(10, [.share(), .share(2)]), [4, 6])
        expectEqual(sizes(2, [.share(), .share(), .share()]), [1, 1, 0])
        expectEqual(sizes(5, [.share(0), .share(1), .share(-1)]), [0, 5, 0])
    }

    @Test("A fraction is a part of the whole, rounded down")
    func fractions() {
        expectEqual(sizes(80, [.fraction(0.3), .automatic]), [24, 56])
        expectEqual(sizes(9, [.fraction(0.5), .automatic]), [4, 5])
        expectEqual(sizes(100, [.fraction(0.29), .fraction(0.57), .automatic]), [29, 57, 14])
        expectEqual(sizes(10, [.fraction(.nan), .fraction(-1), .fraction(.infinity)]), [0, 0, 10])
    }

    @Test("An automatic length is the natural one, or a share")
    func automatic() {
        expectEqual(sizes(20, [.automatic, .automatic, .automatic], natural: [3, nil, 4]), [3, 13, 4])
        expectEqual(sizes(20, [.content, .automatic], natural: [nil, nil]), [0, 20])
        expectEqual(sizes(20, [.content, .automatic], natural: [7, nil]), [7, 13])
    }

    @Test("The first lengths are satisfied first if there is not enough room")
    func scarce() {
        expectEqual(sizes(5, [.cells(3), .cells(3), .cells(3)]), [3, 2, 0])
        expectEqual(sizes(5, [.cells(3), .share(), .cells(3)]), [3, 0, 2])
        expectEqual(sizes(0, [.cells(3), .share()]), [0, 0])
    }

    @Test("Spacing is between two items, not before the first nor after the last")
    func spacing() {
        let tracks = Tracks(10, lengths: [.cells(2), .share(), .cells(1)], spacing: 1, natural: { _ in nil })
        expectEqual(tracks.ranges, [0..<2, 3..<8, 9..<10])
        expectEqual(
            Tracks(2, lengths: [.share(), .share(), .share()], spacing: 5, natural: { _ in nil }).ranges, [0..<0, 2..<2, 2..<2])
    }

    @Test("Negative spacing counts as none")
    func negativeSpacing() {
        let tracks = Tracks(10, lengths: [.share(), .share()], spacing: -3, natural: { _ in nil })
        expectEqual(tracks.ranges, [0..<5, 5..<10])
    }

    @Test("Shares keep their bounds, and the others share the remaining cells")
    func bounds() {
        expectEqual(sizes(30, [.share().bounded(most: 4), .share(), .share()]), [4, 13, 13])
        expectEqual(sizes(12, [.share().bounded(least: 8), .share(), .share()]), [8, 2, 2])
        expectEqual(sizes(5, [.share(), .share().bounded(least: 9)]), [0, 5])
        expectEqual(
            sizes(20, [.content.bounded(most: 5), .fraction(0.1).bounded(least: 4), .automatic], natural: [9]), [5, 4, 11])
        expectEqual(sizes(10, [.share().bounded(least: 6, most: 2), .automatic]), [6, 4])
    }

    @Test("Random rows add up exactly, do not overlap, and stay inside")
    func properties() {
        for seed in Budget.seeds(2_000) {
            var random = Dice(seed: seed)
            let count = Int.random(in: 0...6, using: &random)
            let spacing = Int.random(in: 0...3, using: &random)
            let total = Int.random(in: 0...90, using: &random)
            let natural = (0..<count).map { _ in Bool.random(using: &random) ? Int.random(in: 0...30, using: &random) : nil }
            let lengths = (0..<count).map { _ in length(&random) }
            let tracks = Tracks(total, lengths: lengths, spacing: spacing, natural: { natural[$0] })
            var end = 0
            for (index, range) in tracks.ranges.enumerated() {
                expect(range.lowerBound >= end && range.upperBound <= total, "seed \(seed)")
                if index > 0, range.count > 0, tracks.ranges[index - 1].count > 0 {
                    expectEqual(range.lowerBound, tracks.ranges[index - 1].upperBound + spacing, "seed \(seed)")
                }
                end = range.upperBound
            }
            let gaps = spacing * max(0, count - 1)
            let isFilled = lengths.contains { $0.kind == .share(1) && $0.least == 0 && $0.most == .max }
            if isFilled, gaps <= total { expectEqual(tracks.ranges.reduce(0) { $0 + $1.count }, total - gaps, "seed \(seed)") }
            let again = Tracks(total, lengths: lengths, spacing: spacing, natural: { natural[$0] })
            expectEqual(again, tracks, "seed \(seed)")
        }
    }

    private func length(_ random: inout Dice) -> Length {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .automatic
        case 1: .content
        case 2: .cells(Int.random(in: 0...20, using: &random))
        case 3: .fraction(Double.random(in: 0...1, using: &random))
        case 4: .share(Double.random(in: 0...3, using: &random)).bounded(most: Int.random(in: 0...40, using: &random))
        default: .share()
        }
    }
}
