import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

@testable import InlineSample

@Suite("Samples: inline")
struct InlineTests {
    @Test("A line is printed for each file, and the program ends after the last")
    func files() throws {
        let print = Stub<String, Void, Never>("print")
        try Plan(program(World(clock: ContinuousClock(), print: { _ in })), size: Size(columns: 40, rows: 2)) {
            World(clock: $0.clock, print: $0.function(print))
        }
        .advance(by: .milliseconds(750))
        .then(\.done, equals: 3)
        .expect(print("compiled file 1")).expect(print("compiled file 2")).expect(print("compiled file 3"))
        .frame { try $0.compare(toPictureOf: "inline", "A bar in two rows, below what was printed") }
        .advance(by: .seconds(2))
        .hasEnded()
        .ignoringCalls()
        .run()
    }
}
