import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Widgets: progress, spinner, sparkline and chart")
struct MeterTests {
    @Test("A progress bar is drawn in eighths of a cell, with its percentage")
    func progress() {
        expectEqual(picture(13, 1, ProgressBar<Never>(0.5)), ["████░░░░  50%"])
        expectEqual(picture(8, 1, ProgressBar<Never>(0.3, percent: false)), ["██▍░░░░░"])
        expectEqual(picture(8, 1, ProgressBar<Never>(0, percent: false)), ["░░░░░░░░"])
        expectEqual(picture(9, 1, ProgressBar<Never>(1)), ["████ 100%"])
        // It is full, and says 100, only when all is done.
        expectEqual(picture(9, 1, ProgressBar<Never>(0.9999)), ["███▉  99%"])
    }

    @Test("A number that is no fraction counts as the nearest one in a progress bar")
    func noFraction() {
        expectEqual(picture(4, 1, ProgressBar<Never>(.nan, percent: false)), ["░░░░"])
        expectEqual(picture(4, 1, ProgressBar<Never>(-3, percent: false)), ["░░░░"])
        expectEqual(picture(4, 1, ProgressBar<Never>(.infinity, percent: false)), ["████"])
        expectEqual(picture(3, 1, ProgressBar<Never>(0.5)), ["  5"])
        expectEqual(picture(0, 1, ProgressBar<Never>(0.5)), [""])
    }

    @Test("A spinner turns, forwards and backwards, for any number of steps")
    func spinner() {
        expectEqual(picture(9, 1, Spinner<Never>(step: 0, label: "wait")), ["⠋ wait"])
        expectEqual(picture(9, 1, Spinner<Never>(step: 11, label: "")), ["⠙"])
        expectEqual(picture(9, 1, Spinner<Never>(step: -1, frames: "abc")), ["c"])
        expectEqual(picture(9, 1, Spinner<Never>(step: .min, frames: "")), [""])
    }

    @Test("A sparkline shows the last numbers that fit, and leaves a gap for NaN")
    func sparkline() {
        expectEqual(picture(8, 1, Sparkline<Never>([0, 1, 2, 3, 4, 5, 6, 7])), ["▁▂▃▄▅▆▇█"])
        expectEqual(picture(3, 1, Sparkline<Never>([9, 0, .nan, 7])), ["▁ █"])
        expectEqual(picture(3, 1, Sparkline<Never>([5, 5, 5], range: 0...10)), ["▅▅▅"])
        expectEqual(picture(3, 1, Sparkline<Never>([0, 0, 0])), ["▁▁▁"])
        expectEqual(picture(3, 1, Sparkline<Never>([-1, 0, 1])), ["▁▅█"])
        expectEqual(picture(2, 1, Sparkline<Never>([-100, 100], range: 0...10)), ["▁█"])
        expectEqual(picture(0, 0, Sparkline<Never>([1])), [])
        expectEqual(picture(2, 1, Sparkline<Never>([])), [""])
    }

    @Test("A chart has bars on its lowest row, and a scale")
    func chart() {
        expectEqual(picture(7, 2, Chart<Never>([0, 4, 8, 12, 16])), ["16   ▄█", " 0 ▄███"])
        expectEqual(picture(4, 3, Chart<Never>([3, 1.5, .nan, 3], range: 0...3)), ["█  █", "█▄ █", "██ █"])
        expectEqual(picture(8, 2, Chart<Never>([1, 2], barWidth: 2, spacing: 1)), ["2    ██", "0 ██ ██"])
        expectEqual(picture(5, 1, Chart<Never>([1, 2])), ["▄█"])
        expectEqual(picture(0, 0, Chart<Never>([1])), [])
        expectEqual(picture(9, 2, Chart<Never>([])).count, 2)
    }

    @Test("A scale that is infinite or empty gives its numbers no height")
    func scale() {
        expectEqual(Scale([1, 1], 1...1).eighths(of: 1, in: 8), 0)
        expectEqual(Scale([1], -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude).eighths(of: 1, in: 8), 0)
        expectEqual(Scale([.infinity, 3], nil).range, 0...3)
        expectEqual(Scale([-2, -1], nil).range, -2...0)
        expect(Scale([], nil).eighths(of: .infinity, in: 8) == nil)
    }
}
