import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Terminals: requests to the program that is shown")
struct TerminalRequestsTests {
    @Test("A request for a program that has ended does not reach the next one on the terminal")
    func next() {
        let requests = TerminalRequests()
        expect(!requests.add(.end(.finished)))
        let first = requests.open {}
        expect(requests.add(.end(.finished), for: first))
        requests.close()
        expect(!requests.add(.end(.finished), for: first))
        let second = requests.open {}
        expect(!requests.add(.end(.finished), for: first))
        expect(requests.take().isEmpty)
        expect(requests.add(.end(.quit), for: second))
        expect(requests.add(.end(.quit)))
        expectEqual(requests.take().count, 2)
    }
}
