import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

/// The gate of a loop whose reducer changes the children of a list in place.
@Suite("A loop with an output gate and children")
struct GatedChildrenTests {
    private struct Child: Equatable, Sendable, Identifiable {
        let id: Int
        var count = 0
    }

    private struct Parent: Equatable, Sendable { var children = IdentifiedList((0..<3).map { Child(id: $0) }) }

    private struct Step: Sendable {
        let id: Int
        let number: Int
    }

    /// A log of one turn, which is released by hand.
    private final class OneTurn: TurnLog, Sendable {
        typealias State = Parent
        typealias Event = Step
        typealias Effect = Step

        let progress = GateProgress()
        private let turns = Counter()

        var position: UInt64 { UInt64(turns.value) }
        var errandOfCaller: (any AnyObject & Sendable)? { nil }
        var failureOfProgress: SendError? { progress.failure }

        func isReleased(_ position: UInt64) -> Bool { progress.isReleased(position) }
        func setLoop(_ loop: (any GatedLoop)?) { progress.setLoop(loop) }
        func open(_ post: (Step, Bool, (any AnyObject & Sendable)?) -> Void) {}
        func admit(_ event: Step, isFollowUp: Bool, errand: (any AnyObject & Sendable)?) -> TurnAdmission { .admitted }
        func noteRejection(_ error: any Error) {}
        func prepare(_ effect: Step) {}
        func noteApplied(followUps: Int) { turns.add() }
        func noteStream(of event: Step, job: JobID?) -> UInt64? { nil }
        func begin(_ stream: UInt64, _ subscribe: (CarriedLocal?) -> Void) { subscribe(nil) }
        func noteEnd(of stream: UInt64) {}
        func endTurn(_ state: UnsafePointer<Parent>) {}
        func end(_ state: UnsafePointer<Parent>) {}
    }

    @Test("The change of a child is shown when its position is released, and not before")
    func child() async throws {
        let path = CasePath<Step, (Int, Step)>({ $0.1 }, extract: { ($0.id, $0) })
        let child = Reducer<Child, Step, Step, Void>(
            transform: { _, event, _ in .just(event) }, apply: { (child: inout Child, step: Step) in child.count += step.number })
        let log = OneTurn()
        var options = LoopOptions<Parent, Step, Step>()
        options.gate = OutputGate(log)
        let store = Store(
            reducer: child.scoped(toEach: \Parent.children, event: path, effect: path, environment: { $0 }),
            initialState: Parent(),
            environment: (), options: options)
        store.post(Step(id: 1, number: 5))
        expectEqual(store.state, Parent())
        log.progress.release(through: 1)
        try await until { store.state != Parent() }
        expectEqual(store.state.children[id: 1]?.count, 5)
    }
}
