import Foundation

/// Does something on a thread of its own, which has as much stack as is said, in bytes. Wait for the group to wait for it.
func startThread(stack: Int, _ work: @escaping @Sendable () -> Void) -> DispatchGroup {
    let done = DispatchGroup()
    let thread = Thread {
        work()
        done.leave()
    }
    thread.stackSize = stack
    done.enter()
    thread.start()
    return done
}
