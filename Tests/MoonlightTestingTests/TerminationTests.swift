import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import SwiftText
import Testing

/// Runs each operation on a separate thread or task, since an endless loop or wait in the test itself could not be
/// reported.
@Suite("Termination of parsers and helpers", .serialized)
struct TerminationTests {
    @Test("Source text is skipped to its end, with any contents, and truncated anywhere")
    func source() {
        let text = #"""
            /* a /* b */ c */ "d \(e("f")) g" #"\h"# // i
            j(k, { "l" }, [m]) """
              n
            """ o
            """#
        let left = MoonlightTestSupport.Recorder<Int>()
        let ended = ends {
            for count in 0...text.count {
                var rest = SourceText(text.prefix(count))
                while !rest.text.isEmpty {
                    if rest.skipCommentOrString() || rest.takeGroup("(", ")") != nil { continue }
                    rest.text = rest.text.dropFirst()
                }
                left.append(rest.text.count)
            }
        }
        expect(ended)
        expectEqual(left.all, Array(repeating: 0, count: text.count + 1))
    }

    @Test("Calls are found in source text, with any text between them, and truncated anywhere")
    func calls() {
        let text = #"f(1) /* f(2) */ "f(3)" // f(4)"# + "\n.f(5, g(6)) + ff(7)"
        let found = MoonlightTestSupport.Recorder<Int>()
        let ended = ends {
            for count in 0...text.count {
                let part = String(text.prefix(count))
                found.append(SourceCall.all(of: "f", in: part).count)
                for line in 0..<4 as Range<UInt> { _ = SourceCall(in: part, line: line, of: "f") }
            }
        }
        expect(ended)
        expectEqual(found.last, 2)
    }

    @Test("`testMoonlight` ends, even without events")
    func program() async {
        let failures = MoonlightTestSupport.Recorder<String>()
        let ended = await endsInTask {
            for events in [[1, 2], []] {
                do {
                    try await testMoonlight(
                        events: events, initialState: 0, expectedState: events.reduce(0, +), environment: (),
                        transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 + $1 })
                } catch { failures.append("\(error)") }
            }
        }
        expect(ended)
        expectEqual(failures.all, [])
    }
}
