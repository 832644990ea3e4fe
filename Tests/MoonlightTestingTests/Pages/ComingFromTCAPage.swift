import Moonlight
import MoonlightTesting
import Streams
import Testing

private struct Feature: Equatable {
    var count = 0
    var fact: String?
    var isLoading = false
}

private enum FeatureEvent { case increment, factAsked }

private enum FeatureEffect {
    case incremented, loading
    case fact(String)
    case noFact
}

private struct Facts: Sendable { var fact: @Sendable (Int) async throws -> String }

private let feature = Reducer<Feature, FeatureEvent, FeatureEffect, Facts>(
    transform: { state, event, facts in
        switch event {
        case .increment:
            return .just(.incremented)
        case .factAsked:
            let number = state.count
            return .run { send in
                send(.loading)
                send(.fact(try await facts.fact(number)))
            } catch: { _ in
                .noFact
            }.job("fact", .latest)
        }
    },
    apply: { state, effect in
        switch effect {
        case .incremented: (state.count, state.fact) = (state.count + 1, nil)
        case .loading: (state.isLoading, state.fact) = (true, nil)
        case .fact(let text): (state.isLoading, state.fact) = (false, text)
        case .noFact: state.isLoading = false
        }
    })

private struct NoNetwork: Error {}

private let fact = Stub<Int, String, any Error>("fact")

@Suite("Page: ComingFromTCA")
struct ComingFromTCAPage {
    @Test("A counter with a fact about its number follows the plan of the page")
    func numberFact() throws {
        try Plan(feature, given: Feature()) { Facts(fact: $0.async(fact)) }
            .when(.increment)
            .when(.factAsked)
            .then(\.isLoading, equals: true)
            .fork("offline") { $0.fail(fact(1), with: NoNetwork()).then(\.isLoading, equals: false) }
            .resolve(fact(1), with: "1 is the loneliest number")
            .then(\.fact, equals: "1 is the loneliest number")
            .run()
    }
}
