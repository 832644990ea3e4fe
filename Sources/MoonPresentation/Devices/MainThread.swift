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

/// The main thread, which runs the main actor's work while it waits for a program to end.
enum MainThread {
    /// Indicates whether the current thread is the main thread.
    static var isCurrent: Bool {
        #if canImport(Darwin)
            pthread_main_np() != 0
        #else
            threadNumber() == getpid()
        #endif
    }

    /// Runs the main queue, and with it the main actor, until ``Turning/end()`` is called. Must be called on the main thread.
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

    /// A running main queue, which any thread may stop.
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
    // Functions by which event loops other than Dispatch's own run the main queue, as Foundation's run loop does.
    @_silgen_name("_dispatch_get_main_queue_handle_4CF") private func mainQueueHandle() -> Int32
    @_silgen_name("_dispatch_main_queue_callback_4CF") private func drainMainQueue(_ message: UnsafeMutableRawPointer?)
#endif
