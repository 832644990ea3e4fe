import Moonlight
import MoonlightTestSupport
import Streams

/// A random program: its reaction to each kind of event, with bodies of `run`, jobs, timers and children.
struct DrawnProgram: Sendable, CustomStringConvertible {
    /// The applied effects, its own and those of its children.
    struct State: Hashable, Codable, Sendable {
        var seen: [Int] = []
        var pots: [Int: [Int]] = [1: []]
        /// The number of values received from outside.
        var disturbances = 0
    }

    enum Event: Hashable, Codable, Sendable {
        /// A step of the program, with a unique number.
        case own(kind: Int, number: Int)
        case pot(Int, kind: Int, number: Int)
        case addsPot(Int)
        case removesPot(Int)
        case disturbs
        case nothing

        static let pot = CasePath<Event, (Int, Kind)>(
            { .pot($0, kind: $1.kind, number: $1.number) },
            extract: { if case .pot(let id, let kind, let number) = $0 { (id, Kind(kind: kind, number: number)) } else { nil } })
    }

    /// An event of a pot.
    struct Kind: Sendable {
        let kind: Int
        let number: Int
    }

    enum Effect: Hashable, Codable, Sendable {
        case own(Int)
        case pot(Int, Int)
        case addsPot(Int)
        case removesPot(Int)
        case disturbs

        static let pot = CasePath<Effect, (Int, Int)>(Effect.pot(_:_:)) {
            if case .pot(let id, let value) = $0 { (id, value) } else { nil }
        }
    }

    /// The dependencies of the program: a call that the test answers, a scheduler, and reports of beginnings and ends.
    struct Environment: Sendable {
        var call: @Sendable (Int) async -> Int
        var scheduler: AnyScheduler<TimePoint, Never>
        var begins: @Sendable (Part) -> Void = { _ in }
        var ends: @Sendable (Part) -> Void = { _ in }

        /// Reports when a publisher is subscribed to, and when it has ended or is cancelled.
        func observed(_ publisher: AnyPublisher<Int, Never>, _ part: Part) -> AnyPublisher<Int, Never> {
            publisher.handleEvents(
                receiveSubscription: { [begins] _ in begins(part) }, receiveCompletion: { [ends] _ in ends(part) },
                receiveCancel: { [ends] in ends(part) }
            ).eraseToAnyPublisher()
        }
    }

    /// The parts of a program that begin and end.
    enum Part: Sendable { case body, stream, job }

    enum Step: Sendable {
        case send(Int)
        /// Sends the answer to a call.
        case call(Int)
        case yield
    }

    indirect enum Work: Sendable {
        case ready([Int])
        case body([Step])
        case delayed(Work, milliseconds: Int)
        case job(Int, JobPolicy, Work)
        case merged([Work])
    }

    /// For each kind, the work after an even and after an odd number of effects.
    let works: [[Work]]
    /// True if bodies yield first; only one event is sent at a time then.
    let yields: Bool

    var description: String { works.map { "\($0)" }.joined(separator: "\n") }

    init(_ dice: inout Dice) {
        let yields = dice.roll(3) == 0
        self.yields = yields
        works = (0..<4).map { _ in (0..<2).map { _ in Work(&dice, yields: yields, depth: 2) } }
    }

    var reducer: Reducer<State, Event, Effect, Environment> {
        let works = works
        let pot = Reducer<[Int], Kind, Int, Environment>(
            transform: { seen, kind, environment in
                works[kind.kind][seen.count % 2].stream(kind.number, environment)
            }, apply: { (seen: inout [Int], effect: Int) in seen.append(effect) })
        let itself = Reducer<State, Event, Effect, Environment>(
            transform: { state, event, environment in
                switch event {
                case .own(let kind, let number):
                    return works[kind][state.seen.count % 2].stream(number, environment).map(Effect.own)
                        .eraseToAnyPublisher()
                case .addsPot(let id): return .just(.addsPot(id))
                case .removesPot(let id): return .just(.removesPot(id))
                case .disturbs: return .just(.disturbs)
                case .pot, .nothing: return .none
                }
            },
            apply: { (state: inout State, effect: Effect) in
                switch effect {
                case .own(let value): state.seen.append(value)
                case .addsPot(let id): if state.pots[id] == nil { state.pots[id] = [] }
                case .removesPot(let id): state.pots[id] = nil
                case .disturbs: state.disturbances += 1
                case .pot: break
                }
            })
        return itself.combined(
            with: pot.scoped(toEach: \.pots, event: Event.pot, effect: Effect.pot, environment: { $0 }))
    }
}

extension DrawnProgram.Work {
    init(_ dice: inout Dice, yields: Bool, depth: Int) {
        // Two bodies that yield first have no order.
        switch dice.roll(depth == 0 ? 4 : yields ? 7 : 8) {
        case 0: self = .ready((0...dice.roll(2)).map { _ in dice.roll(10) })
        case 1, 2, 3, 4:
            self = .body(
                (0...dice.roll(3)).map { place in
                    switch dice.roll(yields ? 4 : 3) {
                    case 0, 1: .send(dice.roll(10))
                    case 2: .call(place)
                    default: .yield
                    }
                })
        case 5: self = .delayed(Self(&dice, yields: yields, depth: depth - 1), milliseconds: 1 + dice.roll(3))
        case 6:
            let policies: [JobPolicy] = [.latest, .ignoreNew, .queue, .merge]
            self = .job(dice.roll(2), policies[dice.roll(4)], Self(&dice, yields: yields, depth: depth - 1))
        default: self = .merged((0..<2).map { _ in Self(&dice, yields: yields, depth: depth - 1) })
        }
    }

    /// The effects of an event.
    func stream(_ number: Int, _ environment: DrawnProgram.Environment) -> AnyPublisher<Int, Never> {
        if case .ready(let values) = self { return values.publisher.eraseToAnyPublisher() }
        return environment.observed(publisher(number, environment), .stream)
    }

    /// - Parameters:
    ///   - number: The number of the event, from which the numbers of its calls are made.
    ///   - place: The position of this work within the event.
    private func publisher(_ number: Int, _ environment: DrawnProgram.Environment, place: Int = 0) -> AnyPublisher<Int, Never> {
        switch self {
        case .ready(let values): return values.publisher.eraseToAnyPublisher()
        case .body(let steps):
            return .run { send in
                environment.begins(.body)
                for step in steps {
                    switch step {
                    case .send(let value): send(value)
                    case .call(let step): send(await environment.call((number * 10 + place) * 10 + step))
                    case .yield: await Task.yield()
                    }
                }
                environment.ends(.body)
            }
        case .delayed(let work, let milliseconds):
            return work.publisher(number, environment, place: place)
                .delay(for: .milliseconds(milliseconds), scheduler: environment.scheduler).eraseToAnyPublisher()
        case .job(let id, let policy, let work):
            return environment.observed(work.publisher(number, environment, place: place), .job).job(id, policy)
                .eraseToAnyPublisher()
        case .merged(let works):
            return Publishers.MergeMany(
                works.enumerated().map { $1.publisher(number, environment, place: place * 2 + $0 + 1) }
            ).eraseToAnyPublisher()
        }
    }
}
