import Moonlight
import MoonlightTestSupport
import Streams
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The cost of many keys. With few keys, a linear search does not show in the time, so the quick tier counts comparisons.
@Suite("Keyed reactions with many keys", .serialized)
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
            reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 = $1 }),
            initialState: [], environment: (),
            feedback: { [$0.react(toEach: { $0 }) { _ in Empty<[Int], Never>(completeImmediately: false) }] })
    }

    enum Way: CaseIterable {
        case together, oneByOne, atTheEnd
    }

    /// The time that the removal of a number of keys takes.
    private static func cost(of count: Int, _ way: Way) -> Double {
        let store = store()
        let keys = Array(0..<count)
        store.send(keys)
        expectEqual(store.reactions.count, count)
        defer { expect(store.reactions.isEmpty) }
        switch way {
        case .together: return time { store.send([]) }
        case .atTheEnd: return time { store.cancel() }
        case .oneByOne:
            // Comparing the list of keys takes linear time, so a few are removed at a time.
            return time { for step in 1...10 { store.send(Array(keys.dropFirst(count * step / 10))) } }
        }
    }

    private struct Key: Hashable, Sendable {
        let number: Int
        let comparisons: Counter

        static func == (one: Key, other: Key) -> Bool {
            one.comparisons.add()
            return one.number == other.number
        }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    @Test("A key is compared a constant number of times while it begins, stays and ends, however many others there are")
    func comparisons() {
        let (states, comparisons) = (CurrentValueSubject<[Key], Never>([]), Counter())
        let reaction = states.react(toEach: { $0 }) { _ in Empty<Int, Never>(completeImmediately: false) }.sink { _ in }
        let keys: [Key] = (0..<300).map { Key(number: $0, comparisons: comparisons) }
        // All begin, half of them are removed, and then the others.
        for count in [300, 150, 0] { states.send(Array(keys.prefix(count))) }
        expect(comparisons.value < 60 * 300, "\(comparisons.value) comparisons")
        reaction.cancel()
    }

    /// Measures this thread's processor time, which other threads do not increase, and compares only its growth: eight times for
    /// eight times as many keys, where a linear search would make it sixty-four times.
    @Test(
        "Cancelling reactions takes time proportional to their number", .enabled(if: Budget.isExhaustive),
        arguments: Way.allCases)
    func linear(_ way: Way) {
        let few = (0..<3).map { _ in Self.cost(of: 1_000, way) }.min() ?? 0
        let many = Self.cost(of: 8_000, way)
        expect(many < few * 25, "\(way): \(few * 1000) ms, \(many * 1000) ms")
    }

    @Test("Reactions are listed in the order in which they began, even after others between them have ended")
    func order() {
        let store = Self.store()
        store.send(Array(0..<100))
        store.send((0..<100).filter { $0 % 3 == 0 })
        store.send((0..<100).filter { $0 % 3 == 0 } + [1, 2])
        expectEqual(store.reactions.map(\.key), (0..<100).filter { $0 % 3 == 0 }.map { "\($0)" } + ["1", "2"])
        store.cancel()
    }
}
