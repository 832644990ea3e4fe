import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Restores the process's terminal if the process ends before its program does: by `exit` from anywhere, by a crash, or by a signal that
/// nobody handles. Only `SIGKILL` leaves no chance to.
///
/// There is one for the process, because crashes are the process's, too.
///
/// A signal that ends a process gets a handler if it would do so now. One that is ignored, or that the program handles itself, is left
/// alone, except for those of crashes: what handles these, such as a reporter of crashes, is called when the terminal is restored.
enum Restoration {
    private static let room = 512
    // Sound: written by `arm` while `isArmed` is false, and only read while it is true, by whoever has set it to false.
    nonisolated(unsafe) private static let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
    nonisolated(unsafe) private static var count = 0
    nonisolated(unsafe) private static var mode: RawMode?
    nonisolated(unsafe) private static var output = Descriptor.output
    private static let isArmed = Atomic(false)
    private static let isWatching = Atomic(false)
    private static let isRegistered = Atomic(false)
    private static let handlers = SignalHandlers()
    /// Set when the process is about to end: nothing is drawn any more.
    private static let undone = Atomic(false)

    /// Indicates whether the terminal has been given back because the process ends.
    static var isUndone: Bool { undone.load(ordering: .relaxed) }

    /// Says what to undo. What was said before is forgotten. While the process ends, it does nothing.
    static func arm(_ mode: RawMode, output: Descriptor, _ sequence: [UInt8]) {
        disarm()
        if isUndone { return }
        precondition(sequence.count <= room, "the sequence that restores a terminal is longer than \(room) bytes")
        for (index, byte) in sequence.enumerated() { bytes[index] = byte }
        count = sequence.count
        self.mode = mode
        self.output = output
        if !isRegistered.exchange(true, ordering: .sequentiallyConsistent) { atexit { Restoration.undo(TCSADRAIN) } }
        if !isWatching.exchange(true, ordering: .sequentiallyConsistent) {
            SignalMail.pausing { for signal in crashes { handlers.set(handler, for: signal) } }
        }
        SignalMail.pausing { for signal in SignalAction.ending { cover(signal) } }
        isArmed.store(true, ordering: .sequentiallyConsistent)
    }

    /// Says that nothing is to be undone for now: the terminal is somebody else's.
    static func disarm() { isArmed.store(false, ordering: .sequentiallyConsistent) }

    /// Says that nothing is to be undone any more, and removes the handlers.
    static func stop() {
        disarm()
        guard isWatching.exchange(false, ordering: .sequentiallyConsistent) else { return }
        SignalMail.pausing { for signal in SignalAction.ending { handlers.remove(handler, for: signal) } }
    }

    private static let handler: @convention(c) (Int32) -> Void = { Restoration.end($0) }

    /// Has the terminal restored by a signal that would end the process otherwise. Called while no other thread sets handlers.
    static func cover(_ signal: Int32) {
        guard isWatching.load(ordering: .sequentiallyConsistent), SignalAction.ending.contains(signal) else { return }
        if SignalAction.isDefault(signal) { handlers.set(handler, for: signal) }
    }

    private static var crashes: [Int32] { [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] }

    /// Restores the terminal, because the process ends. Only calls what a signal handler may call.
    static func undo(_ when: Int32) {
        guard isArmed.exchange(false, ordering: .sequentiallyConsistent), let mode, mode.isInFront else { return }
        undone.store(true, ordering: .sequentiallyConsistent)
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
        mode.leave(when)
    }

    /// Restores the terminal and lets the signal take its course.
    private static func end(_ signal: Int32) {
        undo(TCSANOW)
        ProcessGroups.killAll()
        handlers.restore(signal)
        // It is blocked as long as this handler runs; when it returns, the former action takes place.
        raise(signal)
    }
}
