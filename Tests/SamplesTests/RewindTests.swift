import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

@testable import RewindSample

@Suite("Samples: rewind")
struct RewindTests {
    @Test("Earlier states can be shown, and a step can be left out")
    func travel() throws {
        try Plan(program(), size: Size(columns: 44, rows: 9))
            .press("+", "+", "-")
            .then(\.displayed.count, equals: 1)
            .press(.left, .left)
            .then(\.displayed.count, equals: 2).then(\.latest.count, equals: 1)
            .press("x")
            .then(\.latest.count, equals: 0)
            .frame { try $0.compare(toPictureOf: "rewind", "The steps of a counter, one of which is left out") }
            .press(.right, .right)
            .then(\.displayed.count, equals: 0).then(\.position, equals: nil)
            .run()
    }
}
