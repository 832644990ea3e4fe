import MoonFoundation
import MoonlightTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Loadable: idle, loading, loaded, failed")
struct LoadableTests {
    enum Fault: String, Error, Codable, CaseIterable { case offline, refused }
    typealias Number = Loadable<Int, Fault>

    private static let all: [Number] = [.idle, .loading(), .loading(previous: 1), .loaded(2), .failed(.offline)]

    @Test("Each state has its value, its error, and a flag that is true while it is loading")
    func reading() {
        expectEqual(Self.all.map(\.value), [nil, nil, 1, 2, nil])
        expectEqual(Self.all.map(\.error), [nil, nil, nil, nil, .offline])
        expectEqual(Self.all.map(\.isLoading), [false, true, true, false, false])
    }

    @Test("`startLoading()` keeps the value as the previous one")
    func starting() {
        let started = Self.all.map { loadable in
            var loadable = loadable
            loadable.startLoading()
            return loadable
        }
        expectEqual(
            started,
            [
                .loading(), .loading(), .loading(previous: 1), .loading(previous: 2), .loading(),
            ])
    }

    @Test("`finish(with:)` sets the result in any state")
    func finishing() {
        for state in Self.all {
            var loadable = state
            loadable.finish(with: .success(3))
            expectEqual(loadable, .loaded(3))
            loadable.finish(with: .failure(.refused))
            expectEqual(loadable, .failed(.refused))
        }
    }

    @Test("`map` transforms the loaded and the previous value")
    func mapping() {
        expectEqual(
            Self.all.map { $0.map(String.init) },
            [
                .idle, .loading(), .loading(previous: "1"), .loaded("2"), .failed(.offline),
            ])
    }

    @Test("The error that a transform throws is thrown with its type")
    func throwing() {
        #expect(throws: Fault.refused) {
            try Number.loaded(1).map { _ throws(Fault) -> Int in throw .refused }
        }
    }

    @Test("The laws of `map` hold for every state")
    func laws() {
        for state in Self.all {
            expectEqual(state.map { $0 }, state)
            expectEqual(state.map { $0 + 1 }.map { $0 * 2 }, state.map { ($0 + 1) * 2 })
        }
    }

    @Test("Equal states have equal hashes, and decoding an encoded state gives the same")
    func conformances() throws {
        expectEqual(Set(Self.all + Self.all).count, Self.all.count)
        for state in Self.all {
            let data = try JSONEncoder().encode(state)
            try expectEqual(JSONDecoder().decode(Number.self, from: data), state)
        }
    }
}
