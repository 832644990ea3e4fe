import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Signal handlers, with the previous action of each signal.
///
/// A value is made once and never released, because a handler may run on any thread at any time.
struct SignalHandlers: @unchecked Sendable {
    // Sound: a slot is written before the handler that may read it is installed, by the thread that installs it; users of one
    // signal take turns under a lock.
    private let former = UnsafeMutablePointer<sigaction>.allocate(capacity: SignalAction.count)

    /// Sets a handler, and saves the previous action.
    func set(_ handler: @escaping @convention(c) (Int32) -> Void, for signal: Int32) {
        var action = sigaction()
        #if canImport(Glibc)
            action.__sigaction_handler.sa_handler = handler
        #elseif canImport(Musl)
            action.__sa_handler.sa_handler = handler
        #else
            action.__sigaction_u.__sa_handler = handler
        #endif
        // Runs on the alternate stack, if there is one, because the normal stack may have overflowed.
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART) | UInt32(SA_ONSTACK))
        sigaction(signal, nil, former + Int(signal))
        sigaction(signal, &action, nil)
    }

    /// Restores the action before ``set(_:for:)``, if that handler is still installed.
    ///
    /// - Parameter handler: The handler that was set.
    func remove(_ handler: @escaping @convention(c) (Int32) -> Void, for signal: Int32) {
        if SignalAction.handler(of: signal) == SignalAction.address(of: handler) { restore(signal) }
    }

    /// The address of the handler before ``set(_:for:)``, as of ``SignalAction/handler(of:)``.
    func replaced(for signal: Int32) -> Int { SignalAction.handler(in: former[Int(signal)]) }

    /// Restores the action before ``set(_:for:)``. Async-signal-safe.
    func restore(_ signal: Int32) { sigaction(signal, former + Int(signal), nil) }
}

/// The process's actions on signals.
enum SignalAction {
    /// The highest signal number plus one.
    static let count = 65

    /// The signals whose default action ends the process, except those that cannot be caught.
    static let ending: [Int32] = {
        #if canImport(Darwin)
            let last: Int32 = 31
            let others = [SIGIO, SIGINFO]
        #else
            // The first two of the real-time signals belong to the threads of the C library.
            let last: Int32 = 64
            let others: [Int32] = [32, 33]
        #endif
        let harmless = [SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH] + others
        return (1...last).filter { !harmless.contains($0) }
    }()

    /// Indicates whether the process ignores a signal.
    static func isIgnored(_ signal: Int32) -> Bool { handler(of: signal) == 1 }

    /// Indicates whether a signal has its default action.
    static func isDefault(_ signal: Int32) -> Bool { handler(of: signal) == 0 }

    /// Sets the default action of a signal.
    static func setDefault(_ signal: Int32) {
        var action = sigaction()
        sigemptyset(&action.sa_mask)
        sigaction(signal, &action, nil)
    }

    /// The address of a signal's handler: 0 for the default action, 1 if the signal is ignored. Functions cannot be compared.
    static func handler(of signal: Int32) -> Int? {
        var action = sigaction()
        return sigaction(signal, nil, &action) == 0 ? handler(in: action) : nil
    }

    /// The address of the handler in an action.
    static func handler(in action: sigaction) -> Int {
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #elseif canImport(Musl)
            let handler = action.__sa_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self)
    }

    /// The address of a function.
    static func address(of handler: @escaping @convention(c) (Int32) -> Void) -> Int { unsafeBitCast(handler, to: Int.self) }

    /// Restores the terminal, and ends the process by a signal, as if it had never been caught.
    static func die(of signal: Int32) {
        if signal == SIGKILL || ending.contains(signal) { Restoration.undo(TCSANOW) }
        setDefault(signal)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, signal)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        kill(getpid(), signal)
    }
}
