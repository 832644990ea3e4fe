import SwiftText

/// What a step of another module of this package sees of the world in which a plan runs.
///
/// `MoonPresentationTesting` makes its steps of this, so that this module knows nothing of terminals.
package struct PlanStage<State: Equatable, Event, Effect> {
    private let world: PlanWorld<State, Event, Effect>

    init(_ world: PlanWorld<State, Event, Effect>) { self.world = world }

    /// The state of this moment.
    package var state: State { world.state }

    /// A value that is kept from step to step. It is copied for a fork, so it should be one without references.
    package var attachment: Any? {
        get { world.attachment }
        nonmutating set { world.attachment = newValue }
    }

    /// Sends an event, and throws if it, or what follows from it without time passing, is rejected.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - allowingRefusals: Whether it may be rejected.
    package func send(_ event: Event, allowingRefusals: Bool) throws {
        guard let first = try world.send(event).first, !allowingRefusals, !world.mayRefuse else { return }
        let subject = first.isTheEvent ? ValueText.describe(event) : first.what
        throw PlanFault("\(subject) was rejected: \(located(first.error))\nIf that is right, write allowingRefusals: true")
    }
}

extension Plan {
    /// Adds a step of another module, which changes the world.
    package func acting(
        _ title: @autoclosure @escaping () -> String, at place: SourcePlace,
        _ act: @escaping (PlanStage<State, Event, Effect>) throws -> Void
    ) -> Self { acting(title(), place) { try act(PlanStage($0)) } }

    /// Adds a step of another module, which is not told, and is repeated for a fork.
    package func noting(at place: SourcePlace, _ note: @escaping (PlanStage<State, Event, Effect>) throws -> Void) -> Self {
        noting("", place) { try note(PlanStage($0)) }
    }

    /// Adds a step of another module, which checks the world, and leaves it unchanged.
    package func checking(
        _ title: @autoclosure @escaping () -> String, at place: SourcePlace,
        _ check: @escaping (PlanStage<State, Event, Effect>) throws -> Void
    ) -> Self { checking(title(), place) { try check(PlanStage($0)) } }
}
