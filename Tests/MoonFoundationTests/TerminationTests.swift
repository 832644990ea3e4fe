import MoonFoundation
import MoonlightTestSupport
import Testing

/// What goes round and round on the thread of a test keeps the test from saying so: here it is done on a thread of its own.
@Suite("What collections are asked for ends", .serialized)
struct TerminationTests {
    @Test("moving an element, from anywhere to anywhere")
    func moves() {
        let results = Recorder<[Int]>()
        let ended = ends {
            for source in 0..<4 {
                for destination in -1..<5 {
                    var list = [0, 1, 2, 3]
                    list.move(from: source, to: destination)
                    results.append(list)
                }
            }
        }
        #expect(ended)
        #expect(results.all.allSatisfy { $0.sorted() == [0, 1, 2, 3] })
        #expect(results.last == [0, 1, 2, 3])
        #expect(results.all.first == [0, 1, 2, 3])
    }
}
