import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The mode in which a terminal passes on each key at once, shows none of them and acts on none: not even Ctrl-C.
///
/// There is one for the process, because there is one terminal, and because it is to be undone however the process ends:
/// on return, by `exit` from anywhere, or by a crash. Only `SIGKILL` leaves no chance to.
enum RawMode {
    // Sound: written by `enter` before `isOn` is set for the first time, and only read after that.
    nonisolated(unsafe) private static var original = termios()
    nonisolated(unsafe) private static var input: Int32 = -1
    nonisolated(unsafe) private static var output: Int32 = -1
    private static let isKnown = Atomic(false)
    private static let isOn = Atomic(false)

    /// Switches it on, again if need be. The first call decides for good what to come back to.
    ///
    /// In the background, the system stops the process here until it is in front again.
    static func enter(input: Int32, output: Int32) throws(SystemError) {
        if !isKnown.load(ordering: .acquiring) {
            guard tcgetattr(input, &original) == 0 else { throw .last }
            self.input = input
            self.output = output
            isKnown.store(true, ordering: .releasing)
            atexit { RawMode.leave() }
            watchForCrashes()
        }
        var raw = original
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
        withUnsafeMutableBytes(of: &raw.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
        }
        // From here on there is something to undo.
        isOn.store(true, ordering: .sequentiallyConsistent)
        while tcsetattr(input, TCSADRAIN, &raw) != 0 {
            if errno == EINTR { continue }
            throw .last
        }
        write(Frame.enter)
    }

    /// Switches it off, if it is on, and drops the keys that nobody has read: they were not meant for whoever reads next.
    static func leave() { undo(TCSAFLUSH) }

    /// Only calls what a signal handler may call.
    private static func undo(_ when: Int32) {
        guard isOn.exchange(false, ordering: .sequentiallyConsistent) else { return }
        // A shell that put us into the background has set the terminal as it wants it.
        let front = tcgetpgrp(input)
        guard front == -1 || front == getpgrp() else { return }
        write(Frame.leave)
        while tcsetattr(input, when, &original) != 0, errno == EINTR {}
    }

    private static func write(_ text: StaticString) {
        _ = SampleTerminal.write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), to: output)
    }

    private static func watchForCrashes() {
        for signal in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] {
            SignalAction.set({ RawMode.crash($0) }, for: signal)
        }
    }

    /// Restores the terminal and lets the crash take its course.
    private static func crash(_ signal: Int32) {
        undo(TCSANOW)
        SignalAction.restore(signal)
        // It is blocked as long as this handler runs; when it returns, the former action takes place.
        raise(signal)
    }
}
