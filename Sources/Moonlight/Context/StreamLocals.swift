import Streams
import Synchronization

/// The task-locals of one stream of effects: those that are carried with its event, and that of its durable work. They hold for all that
/// the stream does, on any thread.
@usableFromInline
final class StreamLocals: Sendable {
    /// Those of the stream that the calling code is part of. What code of that stream has bound since stays bound.
    @TaskLocal private static var current: StreamLocals?

    private let context: CarriedContext

    @usableFromInline
    init(_ context: CarriedContext) {
        self.context = context
        WorkContext.count.wrappingAdd(1, ordering: .relaxed)
    }

    deinit { WorkContext.count.wrappingSubtract(1, ordering: .relaxed) }

    /// Calls a closure with the task-locals bound.
    @usableFromInline
    func bind(_ work: () -> Void) {
        if Self.current === self { return work() }
        Self.$current.withValue(self) { context.bind(work) }
    }
}
