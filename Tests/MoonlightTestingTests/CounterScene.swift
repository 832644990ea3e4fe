import Moonlight
import MoonlightTesting
import Streams

/// The counter of Statoscope's README: shown at once, synchronized with a service.
struct Counter: Equatable, Sendable {
    var count = 0
    var isBusy = false
    var message: String?
}

enum CounterEvent: Equatable, Sendable {
    case plus, minus, reset
    case load(String)
    case search(String)
    case wait, quietly
}

enum CounterEffect: Equatable, Sendable {
    case counted(Int)
    case synchronised(Int)
    case rolledBack(Int, NetworkError)
    case said(String)
    case idle
}

enum NetworkError: Error, Equatable { case offline, rubbish }
struct BelowZero: Error, Equatable { let count: Int }

struct CounterEnvironment: Sendable {
    var post: @Sendable (Int) -> AnyPublisher<Int, NetworkError>
    var load: @Sendable (String) async throws -> String
    var ask: @Sendable (String, Int) async throws(NetworkError) -> String
    var log: @Sendable (String) -> Void
    var scheduler: AnyScheduler<TimePoint, Never>
    var clock: any Clock<Duration>
}

let post = Stub<Int, Int, NetworkError>("post")
let load = Stub<String, String, any Error>("load")
let ask = Stub<(String, Int), String, NetworkError>("ask")
let log = Stub<String, Void, Never>("log")

extension CounterEnvironment {
    init(_ stubs: Stubs) {
        self.init(
            post: stubs.publisher(MoonlightTestingTests.post), load: stubs.async(MoonlightTestingTests.load),
            ask: stubs.async(MoonlightTestingTests.ask), log: stubs.function(MoonlightTestingTests.log),
            scheduler: stubs.scheduler.eraseToAnyScheduler(), clock: stubs.clock)
    }
}

let counter = Reducer<Counter, CounterEvent, CounterEffect, CounterEnvironment>(
    transform: { state, event, environment in
        switch event {
        case .plus: return changed(state.count + 1, from: state.count, environment)
        case .minus:
            if state.count == 0 { throw BelowZero(count: 0) }
            return changed(state.count - 1, from: state.count, environment)
        case .reset: throw Rejection("not now")
        case .load(let name):
            return .run { send in
                let text = try await environment.load(name)
                send(.said(text))
                let answer = try await environment.ask(text, 1)
                send(.said(answer))
            } catch: {
                .said("failed: \($0)")
            }
        case .search(let text):
            return Just(text).delay(for: .milliseconds(300), scheduler: environment.scheduler)
                .map(CounterEffect.said).job("search", .latest).eraseToAnyPublisher()
        case .wait:
            let clock = environment.clock
            return .run { send in
                for number in 1...3 {
                    try await clock.sleep(for: .seconds(1))
                    send(.counted(number))
                }
            } catch: { _ in
                nil
            }
        case .quietly:
            environment.log("quietly")
            return Just(.idle).eraseToAnyPublisher()
        }
    },
    apply: { (state: inout Counter, effect: CounterEffect) in
        switch effect {
        case .counted(let count): (state.count, state.isBusy) = (count, true)
        case .synchronised(let count): (state.count, state.isBusy) = (count, false)
        case .rolledBack(let count, let error): state = Counter(count: count, message: "\(error)")
        case .said(let text): state.message = text
        case .idle: break
        }
    })

private func changed(
    _ count: Int, from before: Int, _ environment: CounterEnvironment
) -> AnyPublisher<CounterEffect, Never> {
    environment.post(count)
        .map(CounterEffect.synchronised)
        .catch { Just(.rolledBack(before, $0)) }
        .job("post", .latest)
        .prepend(.counted(count))
        .eraseToAnyPublisher()
}

func counterPlan(_ state: Counter = Counter()) -> Plan<Counter, CounterEvent, CounterEffect, CounterEnvironment> {
    Plan(counter, given: state) { CounterEnvironment($0) }
}
