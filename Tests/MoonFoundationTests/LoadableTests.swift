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

    @Test("Each state has its value, error and result, and tells whether it is loading")
    func reading() {
        expectEqual(Self.all.map(\.value), [nil, nil, 1, 2, nil])
        expectEqual(Self.all.map(\.error), [nil, nil, nil, nil, .offline])
        expectEqual(Self.all.map(\.isLoading), [false, true, true, false, false])
        expectEqual(Self.all.map(\.result), [nil, nil, nil, .success(2), .failure(.offline)])
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

    @Test("`finish(with:)` takes the result, whatever the state was before")
    func finishing() {
        for state in Self.all {
            var loadable = state
            loadable.finish(with: .success(3))
            expectEqual(loadable, .loaded(3))
            loadable.finish(with: .failure(.refused))
            expectEqual(loadable, .failed(.refused))
        }
    }

    @Test("`cancelLoading()` restores the previous value, or idle, and changes no state that is not loading")
    func cancelling() {
        let cancelled = Self.all.map { loadable in
            var loadable = loadable
            loadable.cancelLoading()
            return loadable
        }
        expectEqual(cancelled, [.idle, .idle, .loaded(1), .loaded(2), .failed(.offline)])
    }

    @Test("`map` transforms the loaded and the previous value, and `mapError` the error")
    func mapping() {
        expectEqual(
            Self.all.map { $0.map(String.init) },
            [
                .idle, .loading(), .loading(previous: "1"), .loaded("2"), .failed(.offline),
            ])
        expectEqual(Self.all.map { $0.mapError { _ in Fault.refused } }.map(\.error), [nil, nil, nil, nil, .refused])
        expectEqual(Self.all.map { $0.mapError { _ in Fault.refused } }.map(\.value), Self.all.map(\.value))
    }

    @Test("`flatMap` transforms the loaded value into a state")
    func flatMapping() {
        let next: (Int) -> Number = { $0 > 1 ? .failed(.refused) : .loaded($0 * 10) }
        expectEqual(
            Self.all.map { $0.flatMap(next) },
            [
                .idle, .loading(), .loading(previous: 10), .failed(.refused), .failed(.offline),
            ])
    }

    @Test("The error that a transform throws is thrown with its type")
    func throwing() {
        #expect(throws: Fault.refused) {
            try Number.loaded(1).map { _ throws(Fault) -> Int in throw .refused }
        }
    }

    @Test("The laws of `map` and `flatMap` hold for every state and every outcome")
    func laws() {
        let outcomes: [@Sendable (Int) -> Number] = [
            { _ in .idle }, { .loading(previous: $0 + 1) }, { _ in .loading() }, { .loaded($0 + 1) },
            { _ in .failed(.refused) },
        ]
        for state in Self.all {
            expectEqual(state.map { $0 }, state)
            expectEqual(state.flatMap(Number.loaded), state)
            expectEqual(state.map { $0 + 1 }.map { $0 * 2 }, state.map { ($0 + 1) * 2 })
            expectEqual(state.map { $0 + 1 }, state.flatMap { .loaded($0 + 1) })
            for first in outcomes {
                expectEqual(Number.loaded(7).flatMap(first), first(7))
                for second in outcomes {
                    expectEqual(state.flatMap(first).flatMap(second), state.flatMap { first($0).flatMap(second) })
                }
            }
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
