import Foundation
import MoonlightTestSupport
import Streams
import Testing

@Suite("Subscribers.Completion")
struct CompletionTests {
    private struct Fault: Error, Codable, Hashable { var code: Int }
    private typealias Completion = Subscribers.Completion<Fault>

    @Test("`Completion.error` is the error of a failure, and nil for `.finished`")
    func error() {
        expectEqual(Completion.failure(Fault(code: 3)).error, Fault(code: 3))
        expect(Completion.finished.error == nil)
    }

    @Test("Completions are equal if their errors are equal")
    func equality() {
        let all: Set<Completion> = [.finished, .finished, .failure(Fault(code: 1)), .failure(Fault(code: 2))]
        expectEqual(all.count, 3)
        expect(Completion.failure(Fault(code: 1)) != .finished)
    }

    @Test("A completion that is encoded as in Combine is decoded to an equal one")
    func codable() throws {
        for completion in [Completion.finished, .failure(Fault(code: 3))] {
            let data = try JSONEncoder().encode(completion)
            try expectEqual(JSONDecoder().decode(Completion.self, from: data), completion)
        }
        expectEqual(String(decoding: try JSONEncoder().encode(Completion.finished), as: UTF8.self), #"{"success":true}"#)
    }
}
