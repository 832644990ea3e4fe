import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Handlers of signals, and for each signal what was there before. Whoever sets handlers has one of these.
///
/// It is made once and never released: a handler may be under way on any thread.
struct SignalHandlers: @unchecked Sendable {
    // Sound: a slot is written before the handler that may read it is installed, by the thread that installs it; users of one
    // signal take turns under a lock.
    private let former = UnsafeMutablePointer<sigaction>.allocate(capacity: SignalAction.count)

    /// Sets a handler and keeps what was there before.
    func set(_ handler: @escaping @convention(c) (Int32) -> Void, for signal: Int32) {
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

    /// Puts back what was there before ``set(_:for:)``, if that handler is still the one that is called.
    ///
    /// - Parameter handler: The handler that was set.
    func remove(_ handler: @escaping @convention(c) (Int32) -> Void, for signal: Int32) {
        if SignalAction.handler(of: signal) == SignalAction.address(of: handler) { restore(signal) }
    }

    /// Puts back what was there before ``set(_:for:)``. A signal handler may call it.
    func restore(_ signal: Int32) { sigaction(signal, former + Int(signal), nil) }
}

/// What the process does on a signal.
enum SignalAction {
    /// One more than the highest number of a signal.
    static let count = 65

    /// The signals that end a process which does nothing about them, but for those that cannot be caught.
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

    /// Indicates whether a signal does what it does to a process that has said nothing about it.
    static func isDefault(_ signal: Int32) -> Bool { handler(of: signal) == 0 }

    /// The address of a signal's handler; 0 stands for the default, 1 for none at all. As functions, these cannot be compared.
    static func handler(of signal: Int32) -> Int? {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return nil }
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

    /// Ends the process by a signal, as if it had never been caught. What is to be undone on the terminal is undone before.
    static func die(of signal: Int32) {
        if signal == SIGKILL || ending.contains(signal) { Restoration.undo(TCSANOW) }
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
