import Streams

/// An actor that is busy until ``free()``, so that nothing isolated to it begins before.
package final class BusyActor: Sendable {
    private let owner = QueueActor()
    private let isFree = Lock(false)

    package init() { owner.suspend() }

    deinit { resume() }

    /// Runs the pending jobs of the actor, and returns when it has.
    package func free() async {
        resume()
        await owner.drain()
    }

    private func resume() {
        let wasFree = isFree.withLock { isFree in
            defer { isFree = true }
            return isFree
        }
        if !wasFree { owner.resume() }
    }

    /// Returns a publisher whose body is isolated to the actor, and calls a closure.
    package func body<Output>(_ call: @escaping @Sendable () -> Void) -> AnyPublisher<Output, Never> {
        .run(priority: nil, on: owner) { _, _ in call() }
    }
}
