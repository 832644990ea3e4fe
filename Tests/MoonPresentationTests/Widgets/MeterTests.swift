import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Widgets: progress bar, spinner and chart")
struct MeterTests {
    @Test("A progress bar is drawn in eighths of a cell, with its percentage")
    func progress() {
        expectEqual(picture(13, 1, ProgressBar<Never>(0.5)), ["████░░░░  50%"])
        expectEqual(picture(8, 1, ProgressBar<Never>(0.3, percent: false)), ["██▍░░░░░"])
        expectEqual(picture(8, 1, ProgressBar<Never>(0, percent: false)), ["░░░░░░░░"])
        expectEqual(picture(9, 1, ProgressBar<Never>(1)), ["████ 100%"])
        // The bar is full, with 100 percent, only at 1.
        expectEqual(picture(9, 1, ProgressBar<Never>(0.9999)), ["███▉  99%"])
    }

    @Test("A progress bar clamps numbers outside 0 to 1, and NaN is 0")
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

    @Test("A chart of one row shows the last numbers that fit as blocks, and leaves a gap for NaN")
    func sparkline() {
        expectEqual(picture(8, 1, Chart<Never>([0, 1, 2, 3, 4, 5, 6, 7])), ["▁▂▃▄▅▆▇█"])
        expectEqual(picture(3, 1, Chart<Never>([9, 0, .nan, 7])), ["▁ █"])
        expectEqual(picture(3, 1, Chart<Never>([5, 5, 5], range: 0...10)), ["▅▅▅"])
        expectEqual(picture(3, 1, Chart<Never>([0, 0, 0])), ["▁▁▁"])
        expectEqual(picture(3, 1, Chart<Never>([-1, 0, 1])), ["▁▅█"])
        expectEqual(picture(2, 1, Chart<Never>([-100, 100], range: 0...10)), ["▁█"])
        expectEqual(picture(2, 1, Chart<Never>([])), [""])
    }

    @Test("A chart has bars on its lowest row, and a scale")
    func chart() {
        expectEqual(picture(7, 2, Chart<Never>([0, 4, 8, 12, 16])), ["16   ▄█", " 0 ▄███"])
        expectEqual(picture(4, 3, Chart<Never>([3, 1.5, .nan, 3], range: 0...3)), ["█  █", "█▄ █", "██ █"])
        expectEqual(picture(8, 2, Chart<Never>([1, 2], barWidth: 2, spacing: 1)), ["2    ██", "0 ██ ██"])
        expectEqual(picture(0, 0, Chart<Never>([1])), [])
        expectEqual(picture(9, 2, Chart<Never>([])).count, 2)
    }

    @Test("The scale of a chart has room for the labels of the numbers that are shown")
    func labels() {
        expectEqual(picture(12, 2, Chart<Never>([10] + Array(repeating: 3.33, count: 20))), ["3.33 ███████", "   0 ███████"])
        expectEqual(picture(9, 2, Chart<Never>([10] + Array(repeating: 3.33, count: 20))), ["█████████", "█████████"])
    }

    @Test("A chart whose range is empty or too large has no bars, and numbers that are not finite do not widen the range")
    func scale() {
        let largest = Double.greatestFiniteMagnitude
        expectEqual(picture(2, 1, Chart<Never>([1, 1], range: 1...1)), ["▁▁"])
        expectEqual(picture(1, 1, Chart<Never>([1], range: -largest...largest)), ["▁"])
        expectEqual(picture(7, 2, Chart<Never>([.infinity, 3]))[0], "3  █")
        expectEqual(picture(8, 2, Chart<Never>([-2, -1])).map { $0.prefix(2) }, [" 0", "-2"])
    }
}
