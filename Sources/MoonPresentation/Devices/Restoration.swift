import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Restores the terminal if the process ends before its program does: by `exit`, a crash, or an unhandled signal other than
/// `SIGKILL`.
///
/// Signals that would end the process get a handler; ignored and handled ones are left alone. Crash signals always get one, which
/// restores the terminal and then calls the previous handler, for example of a crash reporter.
enum Restoration {
    private static let room = 512
    // Sound: written by `arm` while `phase` is idle, and only read by the thread that has changed it from armed to its own number.
    nonisolated(unsafe) private static let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
    nonisolated(unsafe) private static var count = 0
    nonisolated(unsafe) private static var mode: RawMode?
    nonisolated(unsafe) private static var output = Descriptor.output
    /// ``idle``, ``armed``, or the number of the thread that restores the terminal.
    private static let phase = Atomic(idle)
    private static let idle: UInt = 0
    private static let armed: UInt = 1
    private static let isWatching = Atomic(false)
    private static let isRegistered = Atomic(false)
    private static let handlers = SignalHandlers()
    /// Set when the process is about to end, after which nothing is drawn.
    private static let undone = Atomic(false)

    /// Indicates whether the terminal was restored because the process ends.
    static var isUndone: Bool { undone.load(ordering: .relaxed) }

    /// Sets the mode and the bytes to restore, in place of earlier ones. Does nothing while the process ends.
    static func arm(_ mode: RawMode, output: Descriptor, _ sequence: [UInt8]) {
        precondition(sequence.count <= room, "the sequence that restores a terminal is longer than \(room) bytes")
        if isUndone { return }
        if !isRegistered.exchange(true, ordering: .sequentiallyConsistent) { atexit { Restoration.undo(TCSADRAIN) } }
        if !isWatching.exchange(true, ordering: .sequentiallyConsistent) {
            SignalMail.pausing { for signal in crashes { handlers.set(handler, for: signal) } }
        }
        SignalMail.pausing { for signal in SignalAction.ending { cover(signal) } }
        disarm()
        guard phase.load(ordering: .sequentiallyConsistent) == idle else { return }
        for (index, byte) in sequence.enumerated() { bytes[index] = byte }
        count = sequence.count
        self.mode = mode
        self.output = output
        phase.store(armed, ordering: .sequentiallyConsistent)
    }

    /// Suspends the restoration while another program has the terminal.
    static func disarm() { _ = phase.compareExchange(expected: armed, desired: idle, ordering: .sequentiallyConsistent) }

    /// Ends the restoration, and removes the handlers.
    static func stop() {
        disarm()
        guard isWatching.exchange(false, ordering: .sequentiallyConsistent) else { return }
        SignalMail.pausing { for signal in SignalAction.ending { handlers.remove(handler, for: signal) } }
    }

    private static let handler: @convention(c) (Int32) -> Void = { Restoration.end($0) }

    /// Installs the handler for a signal that would end the process. Must be called while no other thread sets handlers.
    static func cover(_ signal: Int32) {
        guard isWatching.load(ordering: .sequentiallyConsistent), SignalAction.ending.contains(signal) else { return }
        if SignalAction.isDefault(signal) { handlers.set(handler, for: signal) }
    }

    /// The address of the handler that restores the terminal.
    static let address = SignalAction.address(of: handler)

    private static var crashes: [Int32] { [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] }

    /// Restores the terminal, because the process ends. Async-signal-safe.
    ///
    /// Signals may arrive on two threads at once. The second one ends the process, so it waits until the first has restored the
    /// terminal. If it has interrupted the first, it restores the terminal itself.
    static func undo(_ when: Int32) {
        let (began, owner) = phase.compareExchange(expected: armed, desired: thread, ordering: .sequentiallyConsistent)
        if !began, owner != thread { return waitUntilIdle() }
        if let mode, mode.isInFront {
            undone.store(true, ordering: .sequentiallyConsistent)
            sendBytes()
            mode.leave(when)
        }
        phase.store(idle, ordering: .sequentiallyConsistent)
    }

    private static func sendBytes() {
        var start = 0
        var attempts = 0
        while start < count, attempts < 100 {
            let written = write(output.number, bytes + start, count - start)
            if written > 0 { start += written } else { attempts += 1 }
            if written < 0, errno == EAGAIN {
                var request = pollfd(fd: output.number, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, 10)
            }
        }
    }

    /// Waits while another thread restores the terminal, up to a limit, since a terminal may not read.
    private static func waitUntilIdle() {
        var attempts = 0
        while phase.load(ordering: .sequentiallyConsistent) > armed, attempts < 2000 {
            _ = poll(nil, 0, 1)
            attempts += 1
        }
    }

    /// The number of the current thread, which is neither ``idle`` nor ``armed``.
    private static var thread: UInt {
        #if canImport(Glibc)
            pthread_self()
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    /// Restores the terminal, and raises the signal again with its previous action.
    private static func end(_ signal: Int32) {
        undo(TCSANOW)
        ProcessGroups.killAll()
        handlers.restore(signal)
        // The signal is blocked until this handler returns. Then its previous action takes place.
        raise(signal)
    }
}
