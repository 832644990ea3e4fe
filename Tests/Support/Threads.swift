import Dispatch
import Foundation
import Streams

/// Shut at first; once open, everybody who waits passes.
package final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func open() { semaphore.signal() }

    /// Waits until it is open. A wait in vain ends the tests.
    package func wait(file: StaticString = #filePath, line: UInt = #line) {
        precondition(
            opens(), "A latch was never opened. \(SourceLine(path: file, line: line))", file: (file), line: line)
    }

    /// Waits until it is open, and returns false if it never is.
    func opens() -> Bool {
        var patience = Patience()
        while semaphore.wait(timeout: .now() + 1) == .timedOut { if patience.isOver() { return false } }
        semaphore.signal()
        return true
    }
}

/// A thread of its own that does one thing.
package final class Worker: Sendable {
    private let done = Latch()

    package init(stackSize: Int? = nil, _ work: @escaping @Sendable () -> Void) {
        let done = done
        let thread = Thread {
            work()
            done.open()
        }
        if let stackSize { thread.stackSize = stackSize }
        thread.start()
    }

    /// Waits until it is done, and the work that it has handed over is done. Not to be called from a handover job.
    package func join(file: StaticString = #filePath, line: UInt = #line) {
        wait(file: file, line: line)
        settle()
    }

    /// Waits until it is done, and returns false if it never is.
    func ends() -> Bool { done.opens() }

    /// Waits until it is done.
    package func wait(file: StaticString = #filePath, line: UInt = #line) { done.wait(file: file, line: line) }
}

/// Does something on another thread and waits until it is done.
package func elsewhere(file: StaticString = #filePath, line: UInt = #line, _ work: @escaping @Sendable () -> Void) {
    Worker(work).wait(file: file, line: line)
}

/// Waits until all work that threads have handed over is done. Not to be called from a handover job.
///
/// An optimized build that is tested is compiled with `-DTESTING`.
package func settle() {
    #if DEBUG || SCHEDULES || TESTING
        Handover.waitForAll()
    #else
        preconditionFailure("settle() in a build that does not count hand-overs: pass -Xswiftc -DTESTING")
    #endif
}

/// Runs a closure on several threads that begin at the same time, and waits until all are done, and the work that they have
/// handed over is done.
package func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    let start = Latch()
    let workers = (0..<count).map { number in
        Worker {
            start.wait()
            work(number)
        }
    }
    start.open()
    for worker in workers { worker.join() }
}
