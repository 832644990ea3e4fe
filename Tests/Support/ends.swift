import Foundation

/// Does something on a thread of its own, and tells whether it ends. What never does, be it that it waits or that it goes round
/// and round, is left behind, so that the test can say so and others can run.
package func ends(_ work: @escaping @Sendable () -> Void) -> Bool {
    Worker(work).ends()
}

/// Does something in a task of its own, and tells whether it ends: see ``ends(_:)``.
package func endsInTask(_ work: @escaping @Sendable () async -> Void) async -> Bool {
    let done = Latch()
    Task.detached {
        await work()
        done.open()
    }
    // On a thread of its own, so that no thread of tasks is blocked.
    return await withCheckedContinuation { answer in Thread { answer.resume(returning: done.opens()) }.start() }
}
