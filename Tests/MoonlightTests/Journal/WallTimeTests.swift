import Moonlight
import MoonlightTestSupport
import Testing

@Suite("Wall time")
struct WallTimeTests {
    private func text(day: Int, milliseconds: Int = 0) -> String {
        "\(WallTime(sinceEpoch: .seconds(day * 86_400) + .milliseconds(milliseconds)))"
    }

    private func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    @Test("The days of each year are consecutive, with leap days, also before the year 0")
    func days() {
        // The first of January of the year -1601.
        var day = -1_304_281
        let tried = Set(Budget.sample(Array(-1601...2420), least: 300))
        for year in -1601...2420 {
            let lengths: [Int] = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            defer { day += isLeap(year) ? 366 : 365 }
            // Each turn of a century, and the years around 0.
            guard tried.contains(year) || year % 100 == 0 || abs(year) < 5 else { continue }
            for (month, length) in lengths.enumerated() where year % 100 < 5 || year % 100 > 95 || month < 2 {
                let before = lengths[..<month].reduce(0, +)
                for dayOfMonth in [1, length] {
                    let number = "\(year.magnitude)"
                    let shown = (year < 0 ? "-" : "") + String(repeating: "0", count: 4 - number.count) + number
                    let (m, d) = ("\(month + 101)".suffix(2), "\(dayOfMonth + 100)".suffix(2))
                    expectEqual(text(day: day + before + dayOfMonth - 1), "\(shown)-\(m)-\(d)T00:00:00.000Z")
                }
            }
        }
    }

    @Test("Times of the day are written to the millisecond, rounded down, also before 1970")
    func times() {
        expectEqual(text(day: 0), "1970-01-01T00:00:00.000Z")
        expectEqual(text(day: 0, milliseconds: 1), "1970-01-01T00:00:00.001Z")
        expectEqual(text(day: 0, milliseconds: -1), "1969-12-31T23:59:59.999Z")
        expectEqual(text(day: 1, milliseconds: -1), "1970-01-01T23:59:59.999Z")
        expectEqual(text(day: 0, milliseconds: 59_999), "1970-01-01T00:00:59.999Z")
        expectEqual(text(day: 0, milliseconds: 3_599_999), "1970-01-01T00:59:59.999Z")
        expectEqual(text(day: 0, milliseconds: 3_600_000), "1970-01-01T01:00:00.000Z")
        expectEqual(text(day: 11_016, milliseconds: 45_296_789), "2000-02-29T12:34:56.789Z")
        expectEqual("\(WallTime(sinceEpoch: .nanoseconds(-1)))", "1969-12-31T23:59:59.999Z")
        expectEqual("\(WallTime(sinceEpoch: .nanoseconds(1_999_999)))", "1970-01-01T00:00:00.001Z")
    }

    @Test("A point that is too distant for milliseconds is written as the farthest one that is not")
    func farAway() {
        let longest = Duration.seconds(Int64.max)
        for far in [longest, longest * 18, .seconds(9_223_372_036_854_776)] {
            expectEqual("\(WallTime(sinceEpoch: far))", "292278994-08-17T07:12:55.000Z")
            expect("\(WallTime(sinceEpoch: .zero - far))".hasPrefix("-29227"))
        }
    }

    @Test("Points in time are ordered, and `now` lies between two others")
    func order() {
        let (earlier, later) = (WallTime(sinceEpoch: .zero), WallTime(sinceEpoch: .nanoseconds(1)))
        expect(earlier < later)
        expect(!(later < earlier))
        expect(!(earlier < earlier))
        expect(earlier < WallTime.now)
        expect(WallTime.now.sinceEpoch < .seconds(86_400 * 365 * 300))
    }
}
