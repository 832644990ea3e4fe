import MoonlightTestSupport
import Testing

@testable import Streams

/// The upstreams of an operator, in an object.
private final class Sources {
    private let sources = FanInSources()
    var members: [Inlet?] { sources.members }
    subscript(place: Int) -> Inlet? { sources[place] }
    func admit(_ source: Inlet) -> Bool { sources.admit(source) }
    func forget(_ source: Inlet) { sources.forget(source) }
    func close() { sources.close() }
}

@Suite("Upstreams of a fan-in")
struct FanInSourcesTests {
    /// A source whose subscription records its calls.
    private func source(_ name: String, in log: Log<String>) -> Inlet {
        let source = Inlet(isOpen: true, isAsked: true)
        source.fill(NotingSubscription(name, in: log))
        return source
    }

    @Test("An upstream has a slot until it is removed, and the slot is then reused")
    func places() {
        let (sources, log) = (Sources(), Log<String>())
        let all = ["a", "b", "c", "d"].map { source($0, in: log) }
        for source in all.prefix(3) { expect(sources.admit(source)) }
        expectEqual(all.map(\.place), [0, 1, 2, -1])
        sources.forget(all[1])
        // Once is enough.
        sources.forget(all[1])
        sources.forget(all[3])
        expectEqual(sources.members.map { $0 === all[0] || $0 === all[2] }, [true, false, true])
        expect(sources[1] == nil)
        expect(sources.admit(all[3]))
        expectEqual(all.map(\.place), [0, -1, 2, 1])
        expect(sources[1] === all[3])
        expect(sources.admit(all[1]))
        expectEqual(sources.members.count, 4)
    }

    @Test("The first upstream can be removed like any other")
    func forgetsTheFirst() {
        let (sources, log) = (Sources(), Log<String>())
        let only = source("a", in: log)
        expect(sources.admit(only))
        sources.forget(only)
        expect(sources[0] == nil)
        expectEqual(only.place, -1)
    }

    @Test("Ending cancels all upstreams, the last first; none is retained or accepted afterwards")
    func end() {
        let (sources, log) = (Sources(), Log<String>())
        let all = ["a", "b", "c"].map { source($0, in: log) }
        for source in all { expect(sources.admit(source)) }
        sources.forget(all[1])
        sources.close()
        expectEqual(log.items, ["c cancelled", "a cancelled"])
        expect(sources.members.isEmpty)
        expect(sources[0] == nil)
        sources.forget(all[0])
        let late = source("d", in: log)
        expect(!sources.admit(late))
        sources.close()
        expectEqual(log.items, ["c cancelled", "a cancelled"])
    }
}
