/// Makes the origin of a running body of ``AnyPublisher/run(priority:_:)`` available to the code that the body calls.
package final class RunningBody: @unchecked Sendable {
    // Sound: the task is set before the object is visible to others; only the runtime changes the weak reference.

    /// The running body. Tasks that the body starts inherit it, hence the comparison in ``currentOrigin``.
    @TaskLocal private static var bound: RunningBody?

    private weak var origin: (any RunOrigin)?
    private var task: UnsafeCurrentTask?

    /// - Parameter origin: The `_subscriberContext` of the subscriber at the end of the chain.
    init(_ origin: any RunOrigin) { self.origin = origin }

    /// The origin for which the current task runs a body; nil if it runs none.
    ///
    /// It is also nil in a task that a body has started, as the body need not await what that task awaits.
    package static var currentOrigin: AnyObject? {
        guard let bound, withUnsafeCurrentTask(body: { $0 == bound.task }) else { return nil }
        return bound.origin
    }

    /// The origin for which the body runs that the current task belongs to: its own task, or one that the body has started.
    package static var surroundingOrigin: AnyObject? { bound?.origin }

    /// Indicates that the origin was cancelled, even if it has not yet cancelled its streams.
    var isUnwanted: Bool { origin?.wantsNoMore == true }

    /// Runs the body in the current task, on the actor that it is on.
    func run(on actor: isolated (any Actor)?, _ body: () async -> Void) async {
        task = withUnsafeCurrentTask { $0 }
        await Self.$bound.withValue(self, operation: body)
    }
}
