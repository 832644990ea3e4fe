/// The body of a ``AnyPublisher/run(priority:_:)``, as what runs inside it may ask for it.
package final class RunningBody: @unchecked Sendable {
    // Sound: the task is set before anybody else knows of this; the weak reference is changed by the runtime only.

    /// Inherited also by the tasks that a body starts: hence the comparison in ``currentOrigin``.
    @TaskLocal private static var bound: RunningBody?

    private weak var origin: AnyObject?
    private var task: UnsafeCurrentTask?

    /// - Parameter origin: What the end of the chain tells of itself: `_subscriberContext`.
    init(_ origin: AnyObject) { self.origin = origin }

    /// For whom the current task runs a body. Nil in a task that a body has started: what such a one awaits, the body need not.
    package static var currentOrigin: AnyObject? {
        guard let bound, withUnsafeCurrentTask(body: { $0 == bound.task }) else { return nil }
        return bound.origin
    }

    /// Runs the body, in its task.
    func run(_ body: () async -> Void) async {
        task = withUnsafeCurrentTask { $0 }
        await Self.$bound.withValue(self, operation: body)
    }
}
