import Dispatch
import Streams

/// Does something on several threads at once, and waits until all are done, and what they have left to heirs is handled.
func onThreads(_ count: Int, _ work: @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: count, execute: work)
    settle()
}

/// Waits until heirs have handled what threads have left to them. Not to be called from what an heir runs.
func settle() { Handover.waitForAll() }
