import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What is to be undone on the process's terminal if the process ends before its program does: by `exit` from anywhere, or by a
/// crash. Only `SIGKILL` leaves no chance to.
///
/// There is one for the process, because crashes are the process's, too.
enum Restoration {
    private static let room = 512
    // Sound: written by `arm` while `isArmed` is false, and only read while it is true, by whoever has set it to false.
    nonisolated(unsafe) private static let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
    nonisolated(unsafe) private static var count = 0
    nonisolated(unsafe) private static var mode: RawMode?
    nonisolated(unsafe) private static var output = Descriptor.output
    private static let isArmed = Atomic(false)
    private static let isWatching = Atomic(false)

    /// Says what to undo. What was said before is forgotten.
    static func arm(_ mode: RawMode, output: Descriptor, _ sequence: [UInt8]) {
        disarm()
        precondition(sequence.count <= room, "the sequence that restores a terminal is longer than \(room) bytes")
        for (index, byte) in sequence.enumerated() { bytes[index] = byte }
        (count, self.mode, self.output) = (sequence.count, mode, output)
        if !isWatching.exchange(true, ordering: .sequentiallyConsistent) {
            atexit { Restoration.undo(TCSADRAIN) }
            for signal in crashes { SignalAction.set({ Restoration.crash($0) }, for: signal) }
        }
        isArmed.store(true, ordering: .sequentiallyConsistent)
    }

    /// Says that nothing is to be undone any more.
    static func disarm() { isArmed.store(false, ordering: .sequentiallyConsistent) }

    private static var crashes: [Int32] { [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] }

    /// Only calls what a signal handler may call.
    private static func undo(_ when: Int32) {
        guard isArmed.exchange(false, ordering: .sequentiallyConsistent), let mode, mode.isInFront else { return }
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

    /// Restores the terminal and lets the crash take its course.
    private static func crash(_ signal: Int32) {
        undo(TCSANOW)
        ProcessGroups.killAll()
        SignalAction.restore(signal)
        // It is blocked as long as this handler runs; when it returns, the former action takes place.
        raise(signal)
    }
}
