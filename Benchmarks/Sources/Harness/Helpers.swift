import Dispatch
import Foundation

/// The sink of all results, so that no work is optimized away. It is a pointer, because a global variable would be checked at
/// each access.
// Sound: the pointer is written once, and measurements run one after another; those with threads synchronize their own access.
package nonisolated(unsafe) let total: UnsafeMutablePointer<Int> = {
    let total = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    total.initialize(to: 0)
    return total
}()

/// Runs a task, and waits for its end.
package func blocking(_ body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await body()
        done.signal()
    }
    done.wait()
}

/// Runs a closure on several threads at once, and waits for all.
package func onThreads(_ number: Int, _ body: @escaping () -> Void) {
    // Sound: callers pass closures for several threads.
    nonisolated(unsafe) let body = body
    let group = DispatchGroup()
    for _ in 0..<number {
        group.enter()
        Thread {
            body()
            group.leave()
        }.start()
    }
    group.wait()
}
