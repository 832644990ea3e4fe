import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

@testable import ChartSample

@Suite("Samples: chart")
struct ChartTests {
    @Test("The timer runs until it is paused, and continues when it is resumed")
    func timer() throws {
        try Plan(program(World(clock: ContinuousClock())), size: Size(columns: 52, rows: 8)) { World(clock: $0.clock) }
            .advance(by: .seconds(3))
            .then(\.ticks, equals: 30)
            .frame { try $0.compare(toPictureOf: "chart", "The tide as bars and as a row of blocks") }
            .press(" ")
            .advance(by: .seconds(3))
            .then(\.ticks, equals: 30)
            .press(" ")
            .advance(by: .milliseconds(200))
            .then(\.ticks, equals: 32)
            .press("q").hasEnded()
            .ignoringInFlight()
            .run()
    }
}
