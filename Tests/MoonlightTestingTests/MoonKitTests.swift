import Moonlight
import MoonlightTesting
import Streams
import Testing

/// MoonKit's helper: events in, the final state out.
struct MoonKitTests: MoonlightTestCase {
    typealias Tenfold = @Sendable (Int) -> AnyPublisher<Int, Never>

    let environment: Tenfold = { number in
        .run { send in
            await Task.yield()
            send(number * 10)
        }
    }
    func transform(state: [Int], event: Int, environment: Tenfold) -> AnyPublisher<Int, Never> {
        environment(event).prepend(event).eraseToAnyPublisher()
    }
    func apply(state: [Int], effect: Int) -> [Int] { state + [effect] }

    @Test("asynchronous effects are waited for")
    func asynchronousEffects() async throws {
        try await testMoonlight(event: 1, initialState: [0], expectedState: [0, 1, 10])
    }

    @Test("events are sent in order; without any, the state is the first")
    func manyEvents() async throws {
        try await testMoonlight(events: [], initialState: [3], expectedState: [3])
    }

    @Test("a state that differs is a failure with its fields")
    func failure() async {
        let failure = await #expect(throws: PlanFailure.self) {
            try await testMoonlight(event: 1, initialState: [], expectedState: [1, 11])
        }
        #expect(failure?.message == "[1]: expected 11, got 10")
        #expect(failure?.place.line == UInt(#line) - 4)
    }
}
