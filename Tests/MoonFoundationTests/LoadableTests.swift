import MoonFoundation
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

    @Test("Each state says its value, error, result, and whether it is loading")
    func reading() {
        #expect(Self.all.map(\.value) == [nil, nil, 1, 2, nil])
        #expect(Self.all.map(\.error) == [nil, nil, nil, nil, .offline])
        #expect(Self.all.map(\.isLoading) == [false, true, true, false, false])
        #expect(Self.all.map(\.result) == [nil, nil, nil, .success(2), .failure(.offline)])
    }

    @Test("Starting keeps the value that is there as the previous one")
    func starting() {
        let started = Self.all.map { loadable in
            var loadable = loadable
            loadable.startLoading()
            return loadable
        }
        #expect(
            started == [
                .loading(), .loading(), .loading(previous: 1), .loading(previous: 2), .loading(),
            ])
    }

    @Test("Finishing takes the result, whatever was before")
    func finishing() {
        for state in Self.all {
            var loadable = state
            loadable.finish(with: .success(3))
            #expect(loadable == .loaded(3))
            loadable.finish(with: .failure(.refused))
            #expect(loadable == .failed(.refused))
        }
    }

    @Test("Giving up goes back to the previous value, or to idle, and touches nothing that is not loading")
    func cancelling() {
        let cancelled = Self.all.map { loadable in
            var loadable = loadable
            loadable.cancelLoading()
            return loadable
        }
        #expect(cancelled == [.idle, .idle, .loaded(1), .loaded(2), .failed(.offline)])
    }

    @Test("map transforms the loaded and the previous value, mapError the error")
    func mapping() {
        #expect(
            Self.all.map { $0.map(String.init) } == [
                .idle, .loading(), .loading(previous: "1"), .loaded("2"), .failed(.offline),
            ])
        #expect(Self.all.map { $0.mapError { _ in Fault.refused } }.map(\.error) == [nil, nil, nil, nil, .refused])
        #expect(Self.all.map { $0.mapError { _ in Fault.refused } }.map(\.value) == Self.all.map(\.value))
    }

    @Test("flatMap goes on from what is loaded")
    func flatMapping() {
        let next: (Int) -> Number = { $0 > 1 ? .failed(.refused) : .loaded($0 * 10) }
        #expect(
            Self.all.map { $0.flatMap(next) } == [
                .idle, .loading(), .loading(previous: 10), .failed(.refused), .failed(.offline),
            ])
    }

    @Test("A transform's own error comes out, typed")
    func throwing() {
        #expect(throws: Fault.refused) {
            try Number.loaded(1).map { _ throws(Fault) -> Int in throw .refused }
        }
    }

    @Test("The laws of map and flatMap hold for every state and every outcome")
    func laws() {
        let outcomes: [@Sendable (Int) -> Number] = [
            { _ in .idle }, { .loading(previous: $0 + 1) }, { _ in .loading() }, { .loaded($0 + 1) },
            { _ in .failed(.refused) },
        ]
        for state in Self.all {
            #expect(state.map { $0 } == state)
            #expect(state.flatMap(Number.loaded) == state)
            #expect(state.map { $0 + 1 }.map { $0 * 2 } == state.map { ($0 + 1) * 2 })
            #expect(state.map { $0 + 1 } == state.flatMap { .loaded($0 + 1) })
            for first in outcomes {
                #expect(Number.loaded(7).flatMap(first) == first(7))
                for second in outcomes {
                    #expect(state.flatMap(first).flatMap(second) == state.flatMap { first($0).flatMap(second) })
                }
            }
        }
    }

    @Test("Equal states hash alike, and coding gives back the same")
    func conformances() throws {
        #expect(Set(Self.all + Self.all).count == Self.all.count)
        for state in Self.all {
            let data = try JSONEncoder().encode(state)
            #expect(try JSONDecoder().decode(Number.self, from: data) == state)
        }
    }
}
