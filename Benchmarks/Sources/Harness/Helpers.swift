import Dispatch
import Foundation

/// The sink of all results, so that no work is optimized away. A pointer: a shared variable would be boxed and checked.
// Sound: the pointer is written once, and measurements are made one after the other; one that has threads mixes under its own order.
package nonisolated(unsafe) let total: UnsafeMutablePointer<Int> = {
    let total = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    total.initialize(to: 0)
    return total
}()

/// Runs a task to its end.
package func blocking(_ body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        await body()
        done.signal()
    }
    done.wait()
}

/// Runs something on so many threads at once, and waits for all.
package func onThreads(_ number: Int, _ body: @escaping () -> Void) {
    // Sound: who gives it makes it for several threads.
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
