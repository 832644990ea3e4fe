import Moonlight
import Streams
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What many keys cost. What is measured is the processor's time for this thread, which others do not lengthen, and only how it
/// grows: eight times for eight times as many keys, where a search through all of them would make it sixty-four.
@Suite("Reactions to very many keys", .serialized)
struct ManyKeysTests {
    private static func time(_ body: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        body()
        return now() - start
    }

    private static func store() -> Store<[Int], [Int]> {
        Store(
            initialState: [], environment: (),
            feedback: { [$0.react(toEach: { $0 }) { _ in Empty<[Int], Never>(completeImmediately: false) }] },
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $1 })
    }

    enum Way: CaseIterable {
        case together, oneByOne, atTheEnd
    }

    /// How long it takes to let so many keys go.
    private static func cost(of count: Int, _ way: Way) -> Double {
        let store = store()
        let keys = Array(0..<count)
        store.send(keys)
        #expect(store.reactions.count == count)
        defer { #expect(store.reactions.isEmpty) }
        switch way {
        case .together: return time { store.send([]) }
        case .atTheEnd: return time { store.cancel() }
        case .oneByOne:
            // The list of keys itself is as long as it is: a few go at a time.
            return time { for step in 1...10 { store.send(Array(keys.dropFirst(count * step / 10))) } }
        }
    }

    @Test("to let eight times as many keys go takes some eight times as long", arguments: Way.allCases)
    func linear(_ way: Way) {
        let few = (0..<3).map { _ in Self.cost(of: 1_000, way) }.min() ?? 0
        let many = Self.cost(of: 8_000, way)
        #expect(many < few * 25, "\(way): \(few * 1000) ms, \(many * 1000) ms")
    }

    @Test("reactions are listed in the order in which they began, however many have gone between")
    func order() {
        let store = Self.store()
        store.send(Array(0..<100))
        store.send((0..<100).filter { $0 % 3 == 0 })
        store.send((0..<100).filter { $0 % 3 == 0 } + [1, 2])
        #expect(store.reactions.map(\.key) == (0..<100).filter { $0 % 3 == 0 }.map { "\($0)" } + ["1", "2"])
        store.cancel()
    }
}
