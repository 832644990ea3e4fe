#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The raw mode of a terminal: each key is passed on at once, without echo or special meaning, not even of Ctrl-C.
///
/// The system stops a background process that sets the mode, until it is in the foreground again.
struct RawMode {
    /// The attributes to restore.
    private(set) var original: termios
    private let terminal: Descriptor

    /// Saves the terminal's current attributes.
    init(_ terminal: Descriptor) throws(SystemError) {
        var attributes = termios()
        guard tcgetattr(terminal.number, &attributes) == 0 else { throw .last("read the mode of \(terminal.name)") }
        (original, self.terminal) = (attributes, terminal)
    }

    /// Enters raw mode.
    func enter() throws(SystemError) {
        var raw = original
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
        withUnsafeMutableBytes(of: &raw.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
        }
        while tcsetattr(terminal.number, TCSADRAIN, &raw) != 0 {
            if errno == EINTR { continue }
            throw .last("set the mode of \(terminal.name)")
        }
    }

    /// Drops unread keys: they were meant for this program, and not for the next one that reads.
    func dropInput() { if isInFront { _ = tcflush(terminal.number, TCIFLUSH) } }

    /// Restores the attributes. Async-signal-safe.
    func leave(_ when: Int32 = TCSADRAIN) {
        guard isInFront else { return }
        var attributes = original
        while tcsetattr(terminal.number, when, &attributes) != 0, errno == EINTR {}
    }

    /// Indicates whether the process is in the foreground. In the background, the shell owns the terminal's mode.
    var isInFront: Bool {
        let front = tcgetpgrp(terminal.number)
        return front == -1 || front == getpgrp()
    }
}
