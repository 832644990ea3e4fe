import Foundation
import MoonlightTestSupport
import Streams
import Testing

@Suite("TimeStride")
struct TimeStrideTests {
    @Test("Strides are created from seconds and their fractions")
    func units() {
        expectEqual(TimeStride.seconds(2), .milliseconds(2_000))
        expectEqual(TimeStride.milliseconds(2), .microseconds(2_000))
        expectEqual(TimeStride.microseconds(2), .nanoseconds(2_000))
        expectEqual(TimeStride.seconds(0.25), .milliseconds(250))
        expectEqual(TimeStride.seconds(-1.5).nanoseconds, -1_500_000_000)
        expect((3 as TimeStride) == .seconds(3))
        expectEqual(TimeStride(.milliseconds(1_500)).nanoseconds, 1_500_000_000)
        expectEqual(TimeStride.milliseconds(1_500).duration, .milliseconds(1_500))
        expectEqual(TimeStride(exactly: 4), .seconds(4))
    }

    @Test("A negative duration converts to a negative stride")
    func negativeDuration() {
        for duration in [Duration.milliseconds(-1_500), .seconds(-3), .nanoseconds(-1), .zero] {
            expectEqual(TimeStride(duration).duration, duration)
        }
    }

    @Test("A stride is encoded as nanoseconds, as in Combine, and decoded again")
    func coding() throws {
        let data = try JSONEncoder().encode(TimeStride.milliseconds(3))
        expectEqual(String(decoding: data, as: UTF8.self), #"{"_nanoseconds":3000000}"#)
        try expectEqual(JSONDecoder().decode(TimeStride.self, from: data), .milliseconds(3))
    }

    @Test("Sums and products of strides saturate at the limits of their range")
    func saturation() {
        let (most, least) = (TimeStride(nanoseconds: .max), TimeStride(nanoseconds: .min))
        expectEqual(most + .seconds(1), most)
        expectEqual(least - .seconds(1), least)
        expectEqual(least + .seconds(-1), least)
        expectEqual(most - .seconds(-1), most)
        expectEqual(most * 2, most)
        expect(most * -2 <= -most)
        expectEqual(TimeStride.nanoseconds(1 << 62) * .seconds(4), most)
        expectEqual(TimeStride.seconds(Int.max), most)
        expectEqual(TimeStride.seconds(Int.min), least)
        expectEqual(TimeStride.seconds(Double.infinity), most)
        expectEqual(TimeStride.seconds(-Double.infinity), least)
        expectEqual(TimeStride.seconds(Double.nan), 0)
        expectEqual(least.magnitude, .min)
        expectEqual(TimeStride.seconds(-1).magnitude, -1_000_000_000)
    }

    @Test("A duration of more than 292 years is the longest stride, even if its seconds exceed an Int64")
    func longDurations() {
        let longest = Duration.seconds(Int64.max)
        for duration in [longest, longest * 2, longest * 18, .seconds(9_223_372_037), .nanoseconds(Int64.max)] {
            expectEqual(TimeStride(duration).nanoseconds, .max)
            expectEqual(TimeStride(.zero - duration).nanoseconds, duration == .nanoseconds(Int64.max) ? -.max : .min)
        }
        expectEqual(TimeStride(.nanoseconds(Int64.max - 1)).nanoseconds, .max - 1)
        expectEqual(TimeStride(.nanoseconds(Int64.min + 1)).nanoseconds, .min + 1)
    }

    @Test("Multiplying a stride by another takes the other as a number of seconds")
    func product() {
        expectEqual(2 * TimeStride.milliseconds(5), .milliseconds(10))
        expectEqual(TimeStride.milliseconds(-5) * 3, .milliseconds(-15))
        var stride = TimeStride.milliseconds(5)
        stride *= 4
        stride += .milliseconds(1)
        stride -= .milliseconds(2)
        expectEqual(stride, .milliseconds(19))
    }

    @Test("Strides compare by length and print as durations do")
    func comparison() {
        expect(TimeStride.milliseconds(1) < .milliseconds(2))
        expectEqual("\(TimeStride.milliseconds(1_500))", "\(Duration.milliseconds(1_500))")
    }
}
