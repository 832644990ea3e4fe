import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The signals by which the system tells that code has crashed, as long as an exploration runs.
///
/// A thread of an exploration that receives one tells its crew, and then waits for good: it cannot go on, and what it has locked
/// stays locked, but nothing that others use is among that. All other threads crash as they would have.
enum CrashSignals {
    private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
    private static let users = Lock(0)

    /// What was to be done before, by the number of the signal. Raw memory, because a signal handler reads it.
    nonisolated(unsafe) private static let before: UnsafeMutablePointer<sigaction> = {
        // Sound: written while no exploration runs, and so before the handler that reads it can be called.
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
        actions.initialize(repeating: sigaction(), count: 64)
        return actions
    }()

    /// The key under which a thread of a crew finds where to tell.
    static let key: pthread_key_t = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key, nil)
        precondition(result == 0, "no thread-specific storage is left: error \(result)")
        return key
    }()

    /// Where a thread tells that it has crashed: the number of the signal, and the file descriptor that wakes the crew.
    struct Report {
        var signal: Int32 = 0
        let wake: Int32
    }

    /// Takes the signals until ``leave()`` has been called as often.
    static func enter() {
        _ = (key, before)
        users.withLock { users in
            users += 1
            guard users == 1 else { return }
            var action = sigaction()
            sigemptyset(&action.sa_mask)
            action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_ONSTACK))
            let handle: @convention(c) (Int32) -> Void = { signal in CrashSignals.handle(signal) }
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = handle
            #else
                action.__sigaction_handler.sa_handler = handle
            #endif
            for signal in signals { sigaction(signal, &action, before + Int(signal)) }
        }
    }

    static func leave() {
        users.withLock { users in
            users -= 1
            if users == 0 { for signal in signals { sigaction(signal, before + Int(signal), nil) } }
        }
    }

    /// Runs in the thread that has crashed. Calls nothing that a signal handler may not.
    private static func handle(_ signal: Int32) {
        guard let place = pthread_getspecific(key) else {
            // Not ours: what has crashed does so again, now as it would have.
            sigaction(signal, before + Int(signal), nil)
            return
        }
        let report = place.assumingMemoryBound(to: Report.self)
        report.pointee.signal = signal
        var byte: UInt8 = 1
        _ = write(report.pointee.wake, &byte, 1)
        while true { pause() }
    }

    /// The name of a signal, and what usually is its cause.
    static func description(of signal: Int32) -> String {
        switch signal {
        case SIGILL, SIGTRAP: "a trap, such as a precondition, an overflow or an index out of range"
        case SIGSEGV, SIGBUS: "an invalid access to memory, such as a recursion without end"
        case SIGFPE: "an arithmetic error"
        case SIGABRT: "an abort"
        default: "signal \(signal)"
        }
    }
}
