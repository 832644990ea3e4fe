import Moonlight
import Streams

/// A count that a service keeps, shown before the service has said yes.
struct Counter: Hashable, Sendable {
    /// What is shown: with the presses that the service has not answered yet.
    var count = 0
    /// What the service has said last; nil before it has said anything.
    var confirmed: Int?
    /// Whether an answer is due.
    var isBusy = false
    /// What went wrong last, until something goes right.
    var problem: ServiceError?
    /// Whether the service runs, if it is this program's own.
    var isServiceUp: Bool?
}

/// What the user asks for.
enum CounterEvent: Hashable, Sendable {
    case plus
    case minus
    /// Asks the service for its count.
    case refresh
    /// Stops the program's own service, or starts it again.
    case toggleService
}

/// What happens to the count.
enum CounterEffect: Equatable, Sendable {
    /// A press is shown, before the service has been asked.
    case pressed(Int)
    case asked
    case answered(Int)
    case failed(ServiceError)
    case serviceSwitched(isUp: Bool)
    /// The service could not be started or stopped, which says nothing about the count.
    case switchFailed(ServiceError)
}

/// Why the service gave no count.
struct ServiceError: Error, Hashable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// What the counter needs of the world.
struct CounterEnvironment: Sendable {
    /// Asks the service to take a count; it answers with the one that it has then.
    var post: @Sendable (Int) -> AnyPublisher<Int, ServiceError>
    /// Asks the service for its count.
    var load: @Sendable () -> AnyPublisher<Int, ServiceError>
    /// Starts or stops the program's own service.
    var setServiceUp: @Sendable (Bool) -> AnyPublisher<Bool, ServiceError>
}

extension Counter {
    /// Shows a press at once, and lets the service confirm it, correct it, or not answer: then the press is taken back.
    static let reducer = Reducer<Counter, CounterEvent, CounterEffect, CounterEnvironment>(
        transform: { state, event, environment in
            switch event {
            case .plus: return try press(state, by: 1, environment)
            case .minus where state.count > 0: return try press(state, by: -1, environment)
            case .refresh where !state.isBusy: return exchange(environment.load(), first: .asked)
            // There is nothing below zero; and an answer that is due is as good as another.
            case .minus, .refresh: return Empty().eraseToAnyPublisher()
            case .toggleService:
                guard let isUp = state.isServiceUp else { throw Rejection("the service is not this program's own") }
                return environment.setServiceUp(!isUp)
                    .map { .serviceSwitched(isUp: $0) }
                    .catch { Just(.switchFailed($0)) }
                    .eraseToAnyPublisher()
            }
        },
        apply: { (state: inout Counter, effect: CounterEffect) in
            switch effect {
            case .pressed(let count): (state.count, state.isBusy) = (count, true)
            case .asked: state.isBusy = true
            case .answered(let count):
                (state.count, state.confirmed, state.isBusy, state.problem) = (count, count, false, nil)
            case .failed(let error):
                (state.count, state.isBusy, state.problem) = (state.confirmed ?? 0, false, error)
            case .serviceSwitched(let isUp): state.isServiceUp = isUp
            case .switchFailed(let error): state.problem = error
            }
        })

    private static func press(
        _ state: Counter, by step: Int, _ environment: CounterEnvironment
    ) throws -> AnyPublisher<CounterEffect, Never> {
        guard state.confirmed != nil else { throw Rejection("the service has not said yet where to count from") }
        return exchange(environment.post(state.count + step), first: .pressed(state.count + step))
    }

    /// One exchange with the service. It takes the place of the one that is under way: an answer to an earlier press would
    /// only make the count jump.
    private static func exchange(
        _ answer: AnyPublisher<Int, ServiceError>, first: CounterEffect
    ) -> AnyPublisher<CounterEffect, Never> {
        answer
            .map(CounterEffect.answered)
            .catch { Just(.failed($0)) }
            .prepend(first)
            .job("service", .latest)
            .eraseToAnyPublisher()
    }
}
