import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

@testable import CounterSample

@Suite("Samples: counter")
struct CounterTests {
    private struct Down: Error, CustomStringConvertible {
        let description = "the service is down"
    }

    @Test("A press is shown at once, confirmed by the service, or taken back")
    func presses() throws {
        let save = Stub<Int, Int, any Error>("save")
        try Plan(program(.live), size: Size(columns: 30, rows: 3)) { World(save: $0.async(save)) }
            .press("+")
            .looks(like: "1  saving…\n\n+/↑ plus  -/↓ minus  q quit")
            .resolve(save(1), with: 1)
            .press("+", "+")
            .cancelled(save(2))
            .fork("the service fails") {
                $0.fail(save(3), with: Down()).then(equals: Counter(count: 1, confirmed: 1, problem: "the service is down"))
                    .frame { try $0.compare(toPictureOf: "counter", "A count that was taken back, the reason, and the keys") }
            }
            .resolve(save(3), with: 3)
            .then(equals: Counter(count: 3, confirmed: 3))
            .run()
    }
}
