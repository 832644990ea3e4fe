import Streams

/// The task-locals of one stream of effects: those that are carried with its event, and that of its durable work. They are bound
/// on all threads on which the stream runs.
@usableFromInline
final class StreamLocals: Sendable {
    /// The task-locals of the stream that the calling code belongs to. Values that the stream's code has bound since remain
    /// bound.
    @TaskLocal private static var current: StreamLocals?

    private let context: CarriedContext

    init(_ context: CarriedContext) { self.context = context }

    /// Calls a closure with the task-locals bound.
    func bind(_ work: () -> Void) {
        if Self.current === self { return work() }
        Self.$current.withValue(self) { context.bind(work) }
    }
}
