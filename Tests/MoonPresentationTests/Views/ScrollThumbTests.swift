import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Views: scroll bars")
struct ScrollThumbTests {
    @Test("The thumb lies in the bar, and touches an end only if nothing is hidden there")
    func ends() {
        for length in 1...12 {
            for count in (length + 1)...40 {
                var before = 0
                for first in 0...(count - length) {
                    let thumb = ScrollThumb(first: first, count: count, length: length).range
                    expect(!thumb.isEmpty && thumb.lowerBound >= 0 && thumb.upperBound <= length)
                    expect(thumb.lowerBound >= before)
                    before = thumb.lowerBound
                    if first == 0 { expectEqual(thumb.lowerBound, 0) }
                    if first == count - length { expectEqual(thumb.upperBound, length) }
                    // A bar of three rows or more has room for this.
                    guard length - thumb.count > 1 else { continue }
                    expect((thumb.lowerBound == 0) == (first == 0))
                    expect((thumb.upperBound == length) == (first == count - length))
                }
            }
        }
    }

    @Test("The thumb's share of the bar is that of the visible part in the whole")
    func size() {
        expectEqual(ScrollThumb(first: 0, count: 20, length: 10).range, 0..<5)
        expectEqual(ScrollThumb(first: 5, count: 20, length: 10).range, 2..<7)
        expectEqual(ScrollThumb(first: 0, count: 1_000_000, length: 10).range, 0..<1)
    }
}
