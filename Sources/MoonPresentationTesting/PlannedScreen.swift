import MoonPresentation
import MoonlightTesting

/// The screen of a program that a plan runs: a part of the plan's world.
struct PlannedScreen<State: Equatable & Sendable, Event: Sendable> {
    var screen: ProgramScreen<State, Event>
    /// Indicates whether a key has ended the program.
    var hasQuit = false

    /// The screen in a plan's world.
    ///
    /// - Throws: A fault that says how to mend the plan, if it has none.
    init<Effect>(in stage: PlanStage<State, Event, Effect>) throws {
        guard let kept = stage.attachment as? PlannedScreen else {
            throw PlanFault("the plan has no screen\nMake it for a program: Plan(program, size: …)")
        }
        self = kept
    }

    init(_ screen: ProgramScreen<State, Event>) { self.screen = screen }

    /// Indicates whether the program has ended.
    func isOver(in state: State) -> Bool { hasQuit || screen.isOver(in: state) }
}
