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
    // Sound: a slot is written before the handler that may read it is installed, by the one thread that runs the terminal.
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
        action.sa_flags = Int32(SA_RESTART)
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

    /// Puts back what was there before ``set``.
    static func restore(_ signal: Int32) {
        sigaction(signal, former + Int(signal), nil)
    }
}

/// Signals as bytes in a pipe, so that they are handled by normal code, in its own time.
///
/// A handler may do almost nothing: it may write. There is one pipe for the process, as handlers are the process's too.
struct SignalPipe {
    private static let writeEnd = Atomic<Int32>(-1)
    private let signals: [Int32]
    /// What to `poll`.
    let readEnd: Int32

    /// Catches these signals until ``close()``.
    init(_ signals: [Int32]) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .last }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A handler must never wait; when the pipe is full, there is plenty to handle already.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = ends[0]
        self.signals = signals
        Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        for signal in signals { catchAgain(signal) }
    }

    /// Catches a signal whose former effect was put back for a while.
    func catchAgain(_ signal: Int32) {
        SignalAction.set({ SignalPipe.note($0) }, for: signal)
    }

    /// The signals that have come since the last call, in order.
    func take() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(readEnd, &bytes, bytes.count)
        return bytes.prefix(max(0, count)).map(Int32.init)
    }

    /// Puts everything back. The pipe stays: a handler may be under way on another thread.
    func close() {
        for signal in signals { SignalAction.restore(signal) }
    }

    /// What stands among the signals for a wish of the program itself.
    static let stop: Int32 = 0

    /// Writes a signal into the pipe. Only calls what a signal handler may call.
    static func note(_ signal: Int32) {
        let before = errno  // The code that was interrupted may be about to look at it.
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(writeEnd.load(ordering: .relaxed), &byte, 1)
        errno = before
    }
}
