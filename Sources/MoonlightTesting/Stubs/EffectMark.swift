import Moonlight
import Streams

/// The number of the effect for which code runs: the calls and timers that the code makes belong to that effect.
///
/// An exploration uses it to track the inputs of each live effect. The executor on which tasks are started carries it.
package enum EffectMark {
    /// The mark of the running code; nil if it belongs to no effect.
    package static var current: Int? { (TaskPlace.executor as? MarkedExecutor)?.mark }
}

/// An executor for the tasks of one effect.
package final class MarkedExecutor: StepwiseExecutor, ReactionMarker, @unchecked Sendable {
    // Sound: nothing changes, and the marker of reactions is used only on the plan's thread.
    package let mark: Int
    private let base: ManualExecutor
    private let reactions: (any ReactionMarker)?

    /// - Parameters:
    ///   - mark: The number of the effect.
    ///   - base: The executor that runs the jobs.
    ///   - reactions: Marks the reactions that are started here; nil if they are part of the effect.
    package init(_ mark: Int, on base: ManualExecutor, reactions: (any ReactionMarker)? = nil) {
        self.mark = mark
        self.base = base
        self.reactions = reactions
    }

    package func marked<Event>(_ stream: AnyPublisher<Event, Never>, key: Any) -> AnyPublisher<Event, Never> {
        reactions?.marked(stream, key: key) ?? stream
    }

    package func enqueue(_ job: UnownedJob, on executor: any TaskExecutor) { base.enqueue(job, on: executor) }

    /// Runs a closure as code of the effect.
    package func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        try TaskPlace.$executor.withValue(self, operation: body)
    }
}
