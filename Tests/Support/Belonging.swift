import Streams

/// An object that belongs to an actor and is not Sendable. Records whether it was released there.
package final class Belonging {
    package var value = 0
    private let notes: Recorder<String>
    private let isHome: @Sendable () -> Bool

    package init(_ notes: Recorder<String>, isHome: @escaping @Sendable () -> Bool) {
        self.notes = notes
        self.isHome = isHome
    }

    deinit { notes.append(isHome() ? "at home" : "elsewhere") }
}

/// An actor on a separate queue.
package actor QueueActor {
    private let executor: QueueExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter isEager: Whether a job from elsewhere has run when the call returns that enqueues it.
    package init(isEager: Bool = false) { executor = QueueExecutor(isEager: isEager) }

    /// Indicates whether the caller runs on this actor.
    package nonisolated var isHere: Bool { executor.isHere }

    /// Suspends the jobs of this actor until ``resume()``.
    package nonisolated func suspend() { executor.suspend() }

    package nonisolated func resume() { executor.resume() }

    package func run<Result: Sendable>(_ body: @Sendable () -> Result) -> Result { body() }

    /// Returns after the jobs that were enqueued before. The body may not be empty, or an optimized program does not switch to the actor.
    package func drain() { _ = executor.isHere }
}
