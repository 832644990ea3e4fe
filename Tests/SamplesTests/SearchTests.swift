import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

@testable import SearchSample

@Suite("Samples: search")
struct SearchTests {
    private struct Offline: Error {}

    @Test("A search begins after a pause, and the latest query wins")
    func latest() throws {
        let find = Stub<String, [String], any Error>("find")
        try Plan(program(.live), size: Size(columns: 30, rows: 5)) { World(clock: $0.clock, find: $0.async(find)) }
            .type("mo")
            .expectNoCalls()
            .advance(by: .milliseconds(300))
            .expect(find("mo"))
            .type("o")
            .cancelled(find("mo"))
            .advance(by: .milliseconds(300))
            .fork("the network is down") { $0.fail(find("moo"), with: Offline()).then(\.problem, equals: "Offline()") }
            .resolve(find("moo"), with: ["moon", "moonlight"])
            .then(\.found, equals: ["moon", "moonlight"])
            .frame { try $0.compare(toPictureOf: "search", "A query, and two words that were found") }
            .run()
    }
}
