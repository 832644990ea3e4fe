import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the process does on a signal.
enum SignalAction {
    // Sound: a slot is written before the handler that may read it is installed, by the thread that installs it; users of one
    // signal take turns under their own lock.
    nonisolated(unsafe) private static let former = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    /// Sets a handler and keeps what was there before.
    static func set(_ handler: @escaping @convention(c) (Int32) -> Void, for signal: Int32) {
        var action = sigaction()
        #if canImport(Glibc)
            action.__sigaction_handler.sa_handler = handler
        #elseif canImport(Musl)
            action.__sa_handler.sa_handler = handler
        #else
            action.__sigaction_u.__sa_handler = handler
        #endif
        // On the stack for signals, if there is one: a stack that has overflowed cannot be used.
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART) | UInt32(SA_ONSTACK))
        sigaction(signal, nil, former + Int(signal))
        sigaction(signal, &action, nil)
    }

    /// Whether the process ignores a signal.
    static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #elseif canImport(Musl)
            let handler = action.__sa_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        // SIG_IGN is the number 1 in the guise of a function, which cannot be compared.
        return unsafeBitCast(handler, to: Int.self) == 1
    }

    /// Puts back what was there before ``set``. A signal handler may call it.
    static func restore(_ signal: Int32) {
        sigaction(signal, former + Int(signal), nil)
    }

    /// Ends the process by a signal, as if it had never been caught.
    static func die(of signal: Int32) {
        var action = sigaction()
        sigemptyset(&action.sa_mask)
        sigaction(signal, &action, nil)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, signal)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        kill(getpid(), signal)
    }
}
