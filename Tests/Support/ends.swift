import Foundation

/// Runs a closure on a separate thread, and returns whether it ends. If it blocks or loops forever, the thread is abandoned, so
/// that the test can report it and other tests can run.
package func ends(_ work: @escaping @Sendable () -> Void) -> Bool {
    Worker(work).ends()
}

/// Runs a closure in a separate task, and returns whether it ends: see ``ends(_:)``.
package func endsInTask(_ work: @escaping @Sendable () async -> Void) async -> Bool {
    let done = Latch()
    Task.detached {
        await work()
        done.open()
    }
    // On a separate thread, so that no thread of the pool is blocked.
    return await withCheckedContinuation { answer in Thread { answer.resume(returning: done.opens()) }.start() }
}
