import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct Calls: Sendable { var ask: @Sendable (Int) -> AnyPublisher<Int, Failed> }
private struct Failed: Error, Equatable {}
private let ask = Stub<Int, Int, Failed>("ask")

private enum Status: Hashable { case open, answered, failed, cancelled }
private enum Event: Hashable {
    case start
    case cancel(Int)
}
private enum Effect: Sendable {
    case started
    case became(Int, Status)
}

/// Calls that are made at once, each of which is open, answered, failed or cancelled.
private func calls(_ count: Int) -> Exploration<[Status], Event, Effect, Calls> {
    let reducer = Reducer<[Status], Event, Effect, Calls>(
        transform: { _, event, calls in
            switch event {
            case .start:
                let all = (0..<count).map { number in
                    calls.ask(number).map { _ in Effect.became(number, .answered) }
                        .catch { _ in Just(.became(number, .failed)) }
                        .job(number, .latest).eraseToAnyPublisher()
                }
                return Publishers.MergeMany([.just(.started)] + all).eraseToAnyPublisher()
            case .cancel(let number):
                return AnyPublisher<Effect, Never>.just(.became(number, .cancelled)).merge(with: .cancelJob(number))
                    .eraseToAnyPublisher()
            }
        },
        apply: { (state: inout [Status], effect: Effect) in
            switch effect {
            case .started: state = Array(repeating: .open, count: count)
            case .became(let number, let status): state[number] = status
            }
        })
    return Exploration(reducer, given: []) { Calls(ask: $0.publisher(ask)) }.answers(ask, with: [1], failing: [Failed()])
}

@Suite("Exploration: calls made at once")
struct MergedCallsTests {
    @Test(
        "N calls, each of which may be open, answered or failed, have 3^N states and the initial one",
        arguments: 1...Budget.size(5, quick: 4))
    func threeToThe(count: Int) throws {
        let report = try calls(count).events { $0.isEmpty ? [.start] : [] }.run()
        let power = (0..<count).reduce(1) { power, _ in 3 * power }
        expectEqual(report.states, power + 1)
        expectEqual(report.nodes, power + 1)
    }

    @Test(
        "N calls, each of which may also be cancelled, have 4^N states and the initial one",
        arguments: 1...Budget.size(4, quick: 3))
    func fourToThe(count: Int) throws {
        let report = try calls(count)
            .events { state in
                state.isEmpty ? [.start] : state.indices.filter { state[$0] == .open }.map { .cancel($0) }
            }.run()
        let power = (0..<count).reduce(1) { power, _ in 4 * power }
        expectEqual(report.states, power + 1)
        expectEqual(report.nodes, power + 1)
    }
}
