import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

private struct Failed: Error {}
private enum Status: Hashable { case open, answered, failed }
private struct Change: Sendable {
    let number: Int
    let status: Status
}

/// A model in which an event makes some calls, each of which is answered or fails, in any order: each is in one of three states.
private func calls<Environment>(
    _ name: String, count: Int, environment: @escaping @Sendable (Stubs) -> Environment,
    rules: @escaping (Exploration<[Status], Bool, Change, Environment>) -> Exploration<[Status], Bool, Change, Environment>,
    call: @escaping @Sendable (Int, Environment) -> AnyPublisher<Change, Never>
) -> Model {
    let reducer = Reducer<[Status], Bool, Change, Environment>(
        transform: { _, _, environment in
            let begin = (0..<count).map { AnyPublisher<Change, Never>.just(Change(number: $0, status: .open)) }
            return Publishers.MergeMany(begin + (0..<count).map { call($0, environment) }).eraseToAnyPublisher()
        },
        apply: { (state: inout [Status], change: Change) in
            if change.number == state.count { state.append(change.status) } else { state[change.number] = change.status }
        })
    // The states after the event and some answers: their number, and the transitions from each.
    var (stateCount, transitions, steps, choose) = (1, 1, 1, 1)
    for answered in 0...count {
        let here = choose * (0..<answered).reduce(1) { power, _ in 2 * power }
        stateCount += here
        transitions += here * 2 * (count - answered)
        steps += here * 2 * (count - answered) * (answered + 2)
        choose = choose * (count - answered) / (answered + 1)
    }
    return Model(name: name, stateCount: stateCount, transitions: transitions, steps: steps) {
        let exploration = Exploration(reducer, given: [], environment: environment).events { $0.isEmpty ? [true] : [] }
        return try rules(exploration).limited(nodes: 10_000_000).run()
    }
}

/// A model of calls that return streams.
func streams(count: Int) -> Model {
    let ask = Stub<Int, Int, Failed>("ask")
    return calls(
        "streams \(count)", count: count, environment: { $0.publisher(ask) },
        rules: { $0.answers(ask, with: [1], failing: [Failed()]) },
        call: { (number, ask: @escaping @Sendable (Int) -> AnyPublisher<Int, Failed>) in
            ask(number).map { _ in Change(number: number, status: .answered) }
                .catch { _ in Just(Change(number: number, status: .failed)) }.eraseToAnyPublisher()
        })
}

/// A model of `run` bodies that call asynchronous functions.
func bodies(count: Int) -> Model {
    let ask = Stub<Int, Int, any Error>("ask")
    return calls(
        "bodies \(count)", count: count, environment: { $0.async(ask) },
        rules: { $0.answers(ask, with: [1], failing: [Failed()]) },
        call: { (number, ask: @escaping @Sendable (Int) async throws -> Int) in
            .run { send in
                _ = try await ask(number)
                send(Change(number: number, status: .answered))
            } catch: { _ in
                Change(number: number, status: .failed)
            }
        })
}
