import Testing

@testable import MoonPresentation

@Suite("Widgets: progress, spinner, sparkline and chart")
struct MeterTests {
    @Test("a bar in eighths of a cell, with its percentage")
    func progress() {
        #expect(picture(13, 1, Progress<Never>(0.5)) == ["████░░░░  50%"])
        #expect(picture(8, 1, Progress<Never>(0.3, percent: false)) == ["██▍░░░░░"])
        #expect(picture(8, 1, Progress<Never>(0, percent: false)) == ["░░░░░░░░"])
        #expect(picture(9, 1, Progress<Never>(1)) == ["████ 100%"])
        // It is full, and says 100, only when all is done.
        #expect(picture(9, 1, Progress<Never>(0.9999)) == ["███▉  99%"])
    }

    @Test("what is no fraction counts as the nearest one")
    func noFraction() {
        #expect(picture(4, 1, Progress<Never>(.nan, percent: false)) == ["░░░░"])
        #expect(picture(4, 1, Progress<Never>(-3, percent: false)) == ["░░░░"])
        #expect(picture(4, 1, Progress<Never>(.infinity, percent: false)) == ["████"])
        #expect(picture(3, 1, Progress<Never>(0.5)) == ["  5"])
        #expect(picture(0, 1, Progress<Never>(0.5)) == [""])
    }

    @Test("a spinner turns, forwards and backwards, for as many steps as there are")
    func spinner() {
        #expect(picture(9, 1, Spinner<Never>(step: 0, label: "wait")) == ["⠋ wait"])
        #expect(picture(9, 1, Spinner<Never>(step: 11, label: "")) == ["⠙"])
        #expect(picture(9, 1, Spinner<Never>(step: -1, frames: "abc")) == ["c"])
        #expect(picture(9, 1, Spinner<Never>(step: .min, frames: "")) == [""])
    }

    @Test("the last numbers that fit as blocks; what is no number leaves a gap")
    func sparkline() {
        #expect(picture(8, 1, Sparkline<Never>([0, 1, 2, 3, 4, 5, 6, 7])) == ["▁▂▃▄▅▆▇█"])
        #expect(picture(3, 1, Sparkline<Never>([9, 0, .nan, 7])) == ["▁ █"])
        #expect(picture(3, 1, Sparkline<Never>([5, 5, 5], range: 0...10)) == ["▅▅▅"])
        #expect(picture(3, 1, Sparkline<Never>([0, 0, 0])) == ["▁▁▁"])
        #expect(picture(3, 1, Sparkline<Never>([-1, 0, 1])) == ["▁▅█"])
        #expect(picture(2, 1, Sparkline<Never>([-100, 100], range: 0...10)) == ["▁█"])
        #expect(picture(0, 0, Sparkline<Never>([1])) == [])
        #expect(picture(2, 1, Sparkline<Never>([])) == [""])
    }

    @Test("bars on the lowest row, with a scale")
    func chart() {
        #expect(picture(7, 2, Chart<Never>([0, 4, 8, 12, 16])) == ["16   ▄█", " 0 ▄███"])
        #expect(picture(4, 3, Chart<Never>([3, 1.5, .nan, 3], range: 0...3)) == ["█  █", "█▄ █", "██ █"])
        #expect(picture(8, 2, Chart<Never>([1, 2], barWidth: 2, spacing: 1)) == ["2    ██", "0 ██ ██"])
        #expect(picture(5, 1, Chart<Never>([1, 2])) == ["▄█"])
        #expect(picture(0, 0, Chart<Never>([1])) == [])
        #expect(picture(9, 2, Chart<Never>([])).count == 2)
    }

    @Test("numbers of a scale that is endless, or nothing, have no height")
    func scale() {
        #expect(Scale([1, 1], 1...1).eighths(of: 1, in: 8) == 0)
        #expect(Scale([1], -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude).eighths(of: 1, in: 8) == 0)
        #expect(Scale([.infinity, 3], nil).range == 0...3)
        #expect(Scale([-2, -1], nil).range == -2...0)
        #expect(Scale([], nil).eighths(of: .infinity, in: 8) == nil)
    }
}
