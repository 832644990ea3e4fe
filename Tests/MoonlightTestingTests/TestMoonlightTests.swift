import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

/// The helper of MoonKit: sends events, and checks the final state.
struct TestMoonlightTests: MoonlightTestCase {
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

    @Test("`testMoonlight` waits for asynchronous effects")
    func asynchronousEffects() async throws {
        try await testMoonlight(event: 1, initialState: [0], expectedState: [0, 1, 10])
    }

    @Test("`testMoonlight` sends its events in order; without events, the state is the initial one")
    func manyEvents() async throws {
        try await testMoonlight(events: [], initialState: [3], expectedState: [3])
    }

    @Test("`testMoonlight` fails with the fields that differ")
    func failure() async {
        let failure = await #expect(throws: PlanFailure.self) {
            try await testMoonlight(event: 1, initialState: [], expectedState: [1, 11])
        }
        expectEqual(failure?.message, "[1]: expected 11, got 10")
        expectEqual(failure?.place.line, UInt(#line) - 4)
    }

    @Test("`testMoonlight` fails with the events whose effects do not end, and with the state so far")
    func neverEnding() async {
        let failure = await #expect(throws: PlanFailure.self) {
            try await MoonlightTesting.testMoonlight(
                events: [1, 2], initialState: 0, expectedState: 3, environment: (),
                transform: { _, event, _ in
                    event == 1 ? .just(event) : Just(event).append(Empty(completeImmediately: false)).eraseToAnyPublisher()
                }, apply: { $0 + $1 }, patience: .zero)
        }
        expectEqual(failure?.message, "after 0.0 seconds, streams of effects are still open for 2\nThe state is 3")
    }
}
