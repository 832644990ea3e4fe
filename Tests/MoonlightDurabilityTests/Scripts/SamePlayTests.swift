import Foundation
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import Moonlight
@_spi(Storage) @testable import MoonlightDurability

/// Plans and explorations are only useful if they behave like stores. These tests draw programs and scripts, and leave out the
/// differences that the page *What exploration cannot see* lists.
@Suite("A script has the same states in a plan, in an exploration and in every store", .serialized)
struct SamePlayTests {
    private typealias Program = DrawnProgram
    private typealias DrawnStore = Store<DrawnProgram.State, DrawnProgram.Event>

    /// A kind of store, or a way to use one.
    enum Kind: CaseIterable { case idle, contended, awaited, home, durable }

    /// The states after each step, and the answered calls.
    private struct Play {
        var states: [Program.State] = []
        var answered: [Int?] = []
    }

    private static let call = Stub<Int, Int, Never>("call")

    private func draw(_ seed: Int, steps: Int) -> (Program, Script) {
        var dice = Dice(seed: seed)
        let program = Program(&dice)
        return (program, Script(&dice, for: program, count: steps))
    }

    /// Plays a script in a store, and waits after each step until nothing is pending.
    private func play(
        _ script: Script, on stage: ScriptStage, _ store: DrawnStore, isAwaited: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Play {
        var play = Play()
        for step in script.steps {
            switch step {
            case .send(let events):
                for event in events {
                    if isAwaited { await store.send(event, until: .decided) } else { store.post(event) }
                }
            case .advance: stage.scheduler.advance(by: .milliseconds(1))
            case .answer: play.answered.append(stage.answer())
            }
            var changes = -1
            repeat {
                try await until { stage.isStill(store.live) }
                changes = stage.changes
                // A store that waits for its log answers when it has published all earlier output.
                await store.send(.nothing, until: .decided)
            } while stage.changes != changes || !stage.isStill(store.live)
            play.states.append(store.state.undisturbed)
        }
        store.cancel()
        return play
    }

    private func play(_ script: Script, _ program: Program, in kind: Kind) async throws -> Play {
        let stage = ScriptStage()
        switch kind {
        case .idle, .awaited:
            let store = DrawnStore(reducer: program.reducer, initialState: Program.State(), environment: stage.environment)
            return try await play(script, on: stage, store, isAwaited: kind == .awaited)
        case .contended:
            let store = DrawnStore(reducer: program.reducer, initialState: Program.State(), environment: stage.environment)
            let end = Recorder<Bool>()
            // Enough that each step meets some, and no more than can be handled meanwhile.
            let other = Worker {
                for _ in 0..<2_000 where end.count == 0 {
                    store.post(.disturbs)
                    sched_yield()
                }
            }
            defer {
                end.append(true)
                other.join()
            }
            return try await play(script, on: stage, store)
        case .home: return try await playAtHome(script, program, on: stage)
        case .durable:
            let durable = Durable(
                storage: NotedStorage(), schema: Schema(Program.Effect.self), state: Schema(Program.State.self),
                events: Schema(Program.Event.self))
            let store = try await DrawnStore(
                reducer: program.reducer, initialState: Program.State(), environment: stage.environment, durable: durable)
            return try await play(script, on: stage, store)
        }
    }

    @MainActor
    private func playAtHome(_ script: Script, _ program: Program, on stage: ScriptStage) async throws -> Play {
        let loop = Loop(Program.State(), stage.environment, program.reducer, home: MainActor.shared)
        return try await play(script, on: stage, DrawnStore(loop) { _ in [] })
    }

    /// Plays a script in a plan, with the answers given in a store.
    private func plan(_ script: Script, _ program: Program, answered: [Int?]) throws -> [Program.State] {
        let states = Recorder<Program.State>()
        var plan = Plan(program.reducer, given: Program.State()) { stubs in
            Program.Environment(call: stubs.async(Self.call), scheduler: stubs.scheduler.eraseToAnyScheduler())
        }.ignoringRefusals()
        var answered = answered[...]
        for step in script.steps {
            switch step {
            case .send(let events): for event in events { plan = plan.when(event) }
            case .advance: plan = plan.advance(by: .milliseconds(1))
            case .answer:
                if let call = answered.popFirst() ?? nil {
                    plan = plan.resolve(Self.call(call), with: ScriptStage.value(of: call))
                }
            }
            plan = plan.then { states.append($0) }
        }
        try plan.ignoringCalls().ignoringInFlight().run()
        return states.all
    }

    @Test("A plan has the states that each kind of store has", arguments: Budget.seeds(400))
    func plans(seed: Int) async throws {
        let (program, script) = draw(seed, steps: 12)
        let first = try await play(script, program, in: .idle)
        let planned = try plan(script, program, answered: first.answered)
        for kind in Kind.allCases {
            let play = try await play(script, program, in: kind)
            let isSame = play.states == planned
            #expect(isSame, "seed \(seed), \(kind): \(play.states) instead of \(planned)\n\(program)\n\(script.steps)")
        }
    }

    @Test("An exploration has seen each state that a store has", arguments: Budget.seeds(60, least: 3))
    func explorations(seed: Int) async throws {
        let (program, script) = draw(seed, steps: 4)
        let seen = Recorder<Program.State>()
        let events = script.steps.flatMap { step -> [Program.Event] in if case .send(let events) = step { events } else { [] } }
        var exploration = Exploration(program.reducer, given: Program.State()) { stubs in
            Program.Environment(call: stubs.async(Self.call), scheduler: stubs.scheduler.eraseToAnyScheduler())
        }
        .answers(Self.call) { [.answer(ScriptStage.value(of: $0))] }
        .always("it is seen") {
            seen.append($0)
            return true
        }
        .allowingRefusals().limited(nodes: 3_000)
        for event in events { exploration = exploration.events([event], atMost: 1) }
        let report = try exploration.run()
        guard report.extent == .exhaustive else { return }
        let explored = Set(seen.all)
        for kind in Kind.allCases {
            let play = try await play(script, program, in: kind)
            let unseen = Set(play.states).subtracting(explored)
            #expect(unseen.isEmpty, "seed \(seed), \(kind)\n\(program)\n\(script.steps)")
        }
    }
}

extension DrawnProgram.State {
    /// The state without events of other senders.
    fileprivate var undisturbed: Self {
        var state = self
        state.disturbances = 0
        return state
    }
}

extension Store<DrawnProgram.State, DrawnProgram.Event> {
    /// The number of live streams and jobs.
    fileprivate var live: [DrawnProgram.Part: Int] {
        let jobs = inFlight.count { if case .job(_, isWaiting: false) = $0.kind { true } else { false } }
        return [.stream: liveEffects, .job: jobs]
    }
}
