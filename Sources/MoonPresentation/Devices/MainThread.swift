import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import CoreFoundation
    import Darwin
#endif

/// The thread of the main actor, which has to wait for a program and to run the main actor's work meanwhile.
enum MainThread {
    /// Indicates whether this thread is the main one.
    static var isCurrent: Bool {
        #if canImport(Darwin)
            pthread_main_np() != 0
        #else
            threadNumber() == getpid()
        #endif
    }

    /// Runs the main queue, and with it the main actor, until ``Turning/end()`` is called. Call it on the main thread.
    static func turn(until turning: Turning) {
        #if canImport(Darwin)
            while !turning.isOver { CFRunLoopRunInMode(.defaultMode, 1e9, true) }
        #else
            let queue = mainQueueHandle()
            while !turning.isOver {
                var requests = [
                    pollfd(fd: queue, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: turning.pipe.readEnd.number, events: Int16(POLLIN), revents: 0),
                ]
                guard poll(&requests, 2, -1) > 0, requests[0].revents != 0 else { continue }
                var count: UInt64 = 0
                _ = read(queue, &count, MemoryLayout<UInt64>.size)
                drainMainQueue(nil)
            }
        #endif
    }

    /// The end of a turning main thread, which any thread may bring about.
    final class Turning: Sendable {
        private let over = Atomic(false)
        var isOver: Bool { over.load(ordering: .acquiring) }

        #if canImport(Darwin)
            func end() {
                over.store(true, ordering: .releasing)
                CFRunLoopStop(CFRunLoopGetMain())
                CFRunLoopWakeUp(CFRunLoopGetMain())
            }
        #else
            fileprivate let pipe: Pipe

            init() throws(SystemError) { pipe = try Pipe(for: "the main thread") }

            func end() {
                over.store(true, ordering: .releasing)
                _ = try? pipe.writeEnd.write([0])
            }

            deinit { pipe.close() }
        #endif
    }
}

#if !canImport(Darwin)
    @_silgen_name("gettid") private func threadNumber() -> Int32
    // How an event loop other than Dispatch's own runs the main queue. Foundation's run loop does the same.
    @_silgen_name("_dispatch_get_main_queue_handle_4CF") private func mainQueueHandle() -> Int32
    @_silgen_name("_dispatch_main_queue_callback_4CF") private func drainMainQueue(_ message: UnsafeMutableRawPointer?)
#endif
