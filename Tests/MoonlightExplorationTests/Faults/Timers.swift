import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// Each question has ten seconds, but the timer of an answered question continues and ends the next one.
enum TimerOfAnotherQuestion: Fault {
    struct State: Hashable {
        var question = 1
        /// The questions that were on the screen when a timer fired.
        var late: [Int: Int] = [:]
    }
    enum Event: Hashable, Sendable {
        case show
        case answer(String)
    }
    enum Effect: Sendable {
        case answered
        case timeIsUp(of: Int)
    }
    struct World: Sendable { var time: VirtualTimeScheduler }

    static let property = "only its own time ends a question"
    static let trace = "e0 e1 t"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .show:
                    return Just(Effect.timeIsUp(of: state.question)).delay(for: .seconds(10), scheduler: world.time).job("time")
                        .eraseToAnyPublisher()
                case .answer:
                    let answered = AnyPublisher<Effect, Never>.just(.answered)
                    return isMended ? AnyPublisher.cancelJob("time").append(answered).eraseToAnyPublisher() : answered
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .answered: state.question += 1
                case .timeIsUp(let question):
                    state.late[question] = state.question
                    state.question += 1
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(time: $0.scheduler) }
            .events([.show, .answer("42")], atMost: 4)
            .always("only its own time ends a question") { $0.late.allSatisfy { $0.key == $0.value } }
    }
}

/// A letter is sent after five seconds, within which it can be withdrawn; withdrawing only hides it.
enum TakenBackButSent: Fault {
    enum Phase: Hashable, Sendable { case draft, leaving, sent }
    struct State: Hashable {
        var phase = Phase.draft
        var isTakenBack = false
    }
    enum Event: Hashable, Sendable { case send, takeBack }
    enum Effect: Sendable {
        case phase(Phase)
        case takenBack
    }
    struct World: Sendable {
        var send: @Sendable () async throws -> Void
        var clock: any Clock<Duration>
    }

    static let send = Stub<Void, Void, any Error>("send")
    static let property = "never: a withdrawn letter is sent"
    static let trace = "e0 e1 t a0.0"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { state, event, world in
                switch event {
                case .send where state.phase == .draft && !state.isTakenBack:
                    return .run { send in
                        send(.phase(.leaving))
                        try await world.clock.sleep(for: .seconds(5))
                        try await world.send()
                        send(.phase(.sent))
                    } catch: {
                        $0 is CancellationError ? nil : .phase(.draft)
                    }.job("send").eraseToAnyPublisher()
                case .takeBack where state.phase == .leaving:
                    let takenBack = AnyPublisher<Effect, Never>.just(.takenBack)
                    return isMended ? AnyPublisher.cancelJob("send").append(takenBack).eraseToAnyPublisher() : takenBack
                case .send, .takeBack: return .nothing
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .phase(let phase): state.phase = phase
                case .takenBack: (state.phase, state.isTakenBack) = (.draft, true)
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(send: $0.async(send), clock: $0.clock) }
            .events([.send, .takeBack], atMost: 3)
            .answers(send, with: [()], failing: [Unreachable()])
            .never("a withdrawn letter is sent") { $0.isTakenBack && $0.phase == .sent }
    }
}

/// A warning precedes the end of the session. A user who stays dismisses the warning, but the session ends.
enum EndWithoutWarning: Fault {
    enum Session: Hashable, Sendable { case open, warned, ended, endedUnwarned }
    struct State: Hashable { var session = Session.open }
    enum Event: Hashable, Sendable { case login, stay }
    enum Effect: Sendable { case open, warned, ended }
    struct World: Sendable { var scheduler: VirtualTimeScheduler }

    static let property = "no session ends without a warning"
    static let trace = "e0 t e1 t"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                let idle = Just(Effect.warned).delay(for: .seconds(600), scheduler: world.scheduler)
                    .append(Just(.ended).delay(for: .seconds(30), scheduler: world.scheduler))
                    .prepend(.open).job("idle", .latest).eraseToAnyPublisher()
                return event == .login || isMended ? idle : .just(.open)
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .open: state.session = .open
                case .warned: state.session = .warned
                case .ended: state.session = state.session == .warned ? .ended : .endedUnwarned
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(scheduler: $0.scheduler) }
            .events([.login, .stay], atMost: 3)
            .always("no session ends without a warning") { $0.session != .endedUnwarned }
    }
}

/// A countdown that is started twice is counted down by two timers.
enum TwoCountdowns: Fault {
    struct State: Hashable { var left: Int8 = 0 }
    enum Event: Hashable, Sendable { case start(from: Int8) }
    enum Effect: Sendable {
        case started(Int8)
        case tick
    }
    struct World: Sendable { var clock: any Clock<Duration> }

    static let property = "never: less than nothing is left"
    static let trace = "e0 e0 t t"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, event, world in
                guard case .start(let count) = event else { return .nothing }
                return .run { send in
                    send(.started(count))
                    for _ in 0..<count {
                        try await world.clock.sleep(for: .milliseconds(1_500))
                        send(.tick)
                    }
                } catch: { _ in
                    nil
                }.job("countdown", isMended ? .latest : .merge).eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .started(let count): state.left = count
                case .tick: state.left -= 1
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(clock: $0.clock) }
            .events([.start(from: 2)], atMost: 2)
            .never("less than nothing is left") { $0.left < 0 }
    }
}

/// A request and its timeout are merged, and the answer does not stop the timeout.
enum TimeoutAfterAnswer: Fault {
    struct State: Hashable {
        var answer: Double?
        var error: String?
    }
    enum Event: Hashable, Sendable { case measure }
    enum Effect: Sendable {
        case measured(Double)
        case timedOut
    }
    struct World: Sendable {
        var measure: @Sendable () -> AnyPublisher<Double, Never>
        var time: VirtualTimeScheduler
    }

    static let measure = Stub<Void, Double, Never>("measure")
    static let property = "there is an answer or an error"
    static let trace = "e0 a0.0 t"

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer(
            transform: { _, _, world in
                let race = world.measure().map { Effect.measured($0) }
                    .merge(with: Just(.timedOut).delay(for: .microseconds(1_500_001), scheduler: world.time))
                return isMended ? race.first().eraseToAnyPublisher() : race.eraseToAnyPublisher()
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .measured(let value): state.answer = value
                case .timedOut: state.error = "timed out"
                }
            })
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(measure: $0.publisher(measure), time: $0.scheduler) }
            .events([.measure], atMost: 1)
            .answers(measure, with: [.infinity, -0.5])
            .whenQuiet(
                "there is an answer or an error",
                { state in
                    state == State() || (state.answer == nil) != (state.error == nil)
                })
    }
}

/// The state of a print job is polled every five seconds, forever.
enum PollingWithoutEnd: Fault {
    enum Status: Hashable, Sendable { case pending, done }
    struct Poll: Hashable, Sendable {
        let number: Int
        var status: Status?
    }
    struct State: Hashable {
        var poll: Poll?
        var outcome = ""
    }
    enum Event: Hashable, Sendable {
        case print
        case polled(Poll)
        case poll(Int)
    }
    enum Effect: Sendable {
        case poll(Poll)
        case status(Status)
        case outcome(String)
    }
    struct World: Sendable {
        var status: @Sendable () -> AnyPublisher<Status, Never>
        var time: VirtualTimeScheduler
    }

    static let status = Stub<Void, Status, Never>("status")
    static let property = "a job has an outcome"
    static let trace = "e0 t a0.0 * t a0.0"
    static let hasPlan = false

    private static let poll = Reducer<Poll, Int, Status, World>(
        transform: { _, _, _ in .nothing }, apply: { (poll: inout Poll, status: Status) in poll.status = status })

    static func reducer(isMended: Bool) -> Reducer<State, Event, Effect, World> {
        Reducer<State, Event, Effect, World>(
            transform: { state, event, world in
                let poll = Just(()).delay(for: .seconds(5), scheduler: world.time).flatMap { world.status() }.map {
                    Effect.status($0)
                }
                switch event {
                case .print: return poll.prepend(.poll(Poll(number: 0))).eraseToAnyPublisher()
                case .polled(let last) where last.status == .done: return .just(.outcome("printed"))
                case .polled(let last) where isMended && last.number == 2: return .just(.outcome("no printer"))
                case .polled(let last):
                    return poll.prepend(.poll(Poll(number: isMended ? last.number + 1 : 0))).eraseToAnyPublisher()
                case .poll: return .nothing
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .poll(let poll): state.poll = poll
                case .status: break
                case .outcome(let outcome): state.outcome = outcome
                }
            }
        ).combined(
            with: poll.scoped(
                toOptional: \.poll, event: CasePath(Event.poll) { if case .poll(let event) = $0 { event } else { nil } },
                effect: CasePath(Effect.status) { if case .status(let status) = $0 { status } else { nil } },
                environment: { $0 }, result: { $0.status == nil ? nil : .polled($0) }))
    }

    static func exploration(isMended: Bool) -> Exploration<State, Event, Effect, World> {
        Exploration(reducer(isMended: isMended), given: State()) { World(status: $0.publisher(status), time: $0.scheduler) }
            .events([.print], atMost: 1)
            .answers(status, with: [.pending, .done])
            .eventually("a job has an outcome", after: { $0.poll != nil }, until: { !$0.outcome.isEmpty })
    }
}
