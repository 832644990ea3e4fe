import Dispatch
import Foundation
import Streams
import Testing

/// Shut at first; once open, everybody who waits passes.
final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Waits until it is open. What would hang for ever fails after ten minutes.
    func wait(_ sourceLocation: SourceLocation = #_sourceLocation) {
        let outcome = semaphore.wait(timeout: .now() + 600)
        if outcome == .timedOut { Issue.record("The latch was never opened.", sourceLocation: sourceLocation) }
        semaphore.signal()
    }
}

/// A thread of its own that does one thing.
final class Worker: Sendable {
    private let done = Latch()

    init(stackSize: Int? = nil, _ work: @escaping @Sendable () -> Void) {
        let done = done
        let thread = Thread {
            work()
            done.open()
        }
        if let stackSize { thread.stackSize = stackSize }
        thread.start()
    }

    /// Waits until it is done, and what it has left to heirs is handled. Not to be called from what an heir runs.
    func join(_ sourceLocation: SourceLocation = #_sourceLocation) {
        wait(sourceLocation)
        settle()
    }

    /// Waits until it is done.
    func wait(_ sourceLocation: SourceLocation = #_sourceLocation) { done.wait(sourceLocation) }
}

/// Does something on another thread and waits until it is done.
func elsewhere(_ sourceLocation: SourceLocation = #_sourceLocation, _ work: @escaping @Sendable () -> Void) {
    Worker(work).wait(sourceLocation)
}

/// Waits until heirs have handled what threads have left to them. Not to be called from what an heir runs.
func settle() { Handover.waitForAll() }

/// Does something on several threads that all begin at the same moment, and waits until all are done, and what they have left to
/// heirs is handled.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
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

/// The thread that asks. A number is only good to be compared while its thread lives.
func currentThread() -> UInt {
    #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
    #else
        UInt(pthread_self())
    #endif
}
