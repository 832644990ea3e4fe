import Foundation
import MoonlightTestSupport
import Streams
import Testing

@Suite("Subscribers.Completion")
struct CompletionTests {
    private struct Fault: Error, Codable, Hashable { var code: Int }
    private typealias Completion = Subscribers.Completion<Fault>

    @Test("A failure has an error, and a finish has none")
    func error() {
        expectEqual(Completion.failure(Fault(code: 3)).error, Fault(code: 3))
        expect(Completion.finished.error == nil)
    }

    @Test("Completions are equal when their errors are")
    func equality() {
        let all: Set<Completion> = [.finished, .finished, .failure(Fault(code: 1)), .failure(Fault(code: 2))]
        expectEqual(all.count, 3)
        expect(Completion.failure(Fault(code: 1)) != .finished)
    }

    @Test("A completion is encoded with its success and its error, and decoded again")
    func codable() throws {
        for completion in [Completion.finished, .failure(Fault(code: 3))] {
            let data = try JSONEncoder().encode(completion)
            try expectEqual(JSONDecoder().decode(Completion.self, from: data), completion)
        }
        expectEqual(String(decoding: try JSONEncoder().encode(Completion.finished), as: UTF8.self), #"{"success":true}"#)
    }
}
