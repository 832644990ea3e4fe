import Foundation
import Streams
import Testing

@Suite("TimeStride")
struct TimeStrideTests {
    @Test("it is made of seconds and their fractions")
    func units() {
        #expect(TimeStride.seconds(2) == .milliseconds(2_000))
        #expect(TimeStride.milliseconds(2) == .microseconds(2_000))
        #expect(TimeStride.microseconds(2) == .nanoseconds(2_000))
        #expect(TimeStride.seconds(0.25) == .milliseconds(250))
        #expect(TimeStride.seconds(-1.5).nanoseconds == -1_500_000_000)
        #expect((3 as TimeStride) == .seconds(3))
        #expect(TimeStride(.milliseconds(1_500)).nanoseconds == 1_500_000_000)
        #expect(TimeStride.milliseconds(1_500).duration == .milliseconds(1_500))
        #expect(TimeStride(exactly: 4) == .seconds(4))
    }

    @Test("a negative duration is the same negative span")
    func negativeDuration() {
        for duration in [Duration.milliseconds(-1_500), .seconds(-3), .nanoseconds(-1), .zero] {
            #expect(TimeStride(duration).duration == duration)
        }
    }

    @Test("it is written as Combine writes it, by its nanoseconds, and read again")
    func coding() throws {
        let data = try JSONEncoder().encode(TimeStride.milliseconds(3))
        #expect(String(decoding: data, as: UTF8.self) == #"{"_nanoseconds":3000000}"#)
        #expect(try JSONDecoder().decode(TimeStride.self, from: data) == .milliseconds(3))
    }

    @Test("sums and products stop at the ends of what can be counted")
    func saturation() {
        let (most, least) = (TimeStride(nanoseconds: .max), TimeStride(nanoseconds: .min))
        #expect(most + .seconds(1) == most)
        #expect(least - .seconds(1) == least)
        #expect(least + .seconds(-1) == least)
        #expect(most - .seconds(-1) == most)
        #expect(most * 2 == most)
        #expect(most * -2 <= -most)
        #expect(TimeStride.nanoseconds(1 << 62) * .seconds(4) == most)
        #expect(TimeStride.seconds(Int.max) == most)
        #expect(TimeStride.seconds(Int.min) == least)
        #expect(TimeStride.seconds(Double.infinity) == most)
        #expect(TimeStride.seconds(-Double.infinity) == least)
        #expect(TimeStride.seconds(Double.nan) == 0)
        #expect(least.magnitude == .min)
        #expect(TimeStride.seconds(-1).magnitude == -1_000_000_000)
    }

    @Test("a span is multiplied by a number of seconds")
    func product() {
        #expect(2 * TimeStride.milliseconds(5) == .milliseconds(10))
        #expect(TimeStride.milliseconds(-5) * 3 == .milliseconds(-15))
        var stride = TimeStride.milliseconds(5)
        stride *= 4
        stride += .milliseconds(1)
        stride -= .milliseconds(2)
        #expect(stride == .milliseconds(19))
    }

    @Test("spans compare by length and print as durations do")
    func comparison() {
        #expect(TimeStride.milliseconds(1) < .milliseconds(2))
        #expect("\(TimeStride.milliseconds(1_500))" == "\(Duration.milliseconds(1_500))")
    }
}
