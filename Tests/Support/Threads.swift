import Dispatch
import Foundation
import Streams

/// A latch that is closed at first. Opening it resumes all waiting threads.
package final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func open() { semaphore.signal() }

    /// Waits until the latch is open. A wait without end fails the tests.
    package func wait(file: StaticString = #filePath, line: UInt = #line) {
        // Apart from the check, whose condition is not evaluated with `-Ounchecked`.
        let isOpen = opens()
        precondition(isOpen, "A latch was never opened. \(SourceLine(path: file, line: line))", file: (file), line: line)
    }

    /// Waits until it is open, and returns false if it never is.
    func opens() -> Bool {
        var patience = Patience()
        while semaphore.wait(timeout: .now() + 1) == .timedOut { if patience.isOver() { return false } }
        semaphore.signal()
        return true
    }
}

/// A thread that runs one closure.
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

    /// Waits until the closure has returned and the work that it handed over has been done. Must not be called from a handover
    /// job.
    package func join(file: StaticString = #filePath, line: UInt = #line) {
        wait(file: file, line: line)
        settle()
    }

    /// Waits until the closure has returned; returns false if it never does.
    func ends() -> Bool { done.opens() }

    /// Waits until the closure has returned.
    package func wait(file: StaticString = #filePath, line: UInt = #line) { done.wait(file: file, line: line) }
}

/// Runs a closure on another thread, and waits until it has returned.
package func elsewhere(file: StaticString = #filePath, line: UInt = #line, _ work: @escaping @Sendable () -> Void) {
    Worker(work).wait(file: file, line: line)
}

/// Waits until all handed-over work has been done. Must not be called from a handover job. An optimized build of the tests is
/// compiled with `-DTESTING`.
package func settle() {
    #if DEBUG || SCHEDULES || TESTING
        waitForDetachedWork()
    #else
        preconditionFailure("settle() in a build that does not count hand-overs: pass -Xswiftc -DTESTING")
    #endif
}

/// Runs a closure on several threads that begin at the same time. Waits until all have returned, and the work that they handed
/// over has been done.
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
