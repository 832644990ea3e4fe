#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The mode in which a terminal passes on each key at once, shows none of them and acts on none: not even Ctrl-C.
///
/// In the background, to set it stops the process until it is in front again: the system sees to that.
struct RawMode {
    /// The attributes to come back to.
    private(set) var original: termios
    private let terminal: Descriptor

    /// Keeps the attributes that the terminal has now.
    init(_ terminal: Descriptor) throws(SystemError) {
        var attributes = termios()
        guard tcgetattr(terminal.number, &attributes) == 0 else { throw .last("read the mode of \(terminal.name)") }
        (original, self.terminal) = (attributes, terminal)
    }

    /// Switches it on.
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

    /// Drops the keys that nobody has read: they were not meant for whoever reads next. What is typed later, when the picture is gone, is.
    func dropInput() { if isInFront { _ = tcflush(terminal.number, TCIFLUSH) } }

    /// Switches it off. A signal handler may call it.
    func leave(_ when: Int32 = TCSADRAIN) {
        guard isInFront else { return }
        var attributes = original
        while tcsetattr(terminal.number, when, &attributes) != 0, errno == EINTR {}
    }

    /// Indicates whether the terminal is ours to change: a shell that put us into the background has set it as it wants it.
    var isInFront: Bool {
        let front = tcgetpgrp(terminal.number)
        return front == -1 || front == getpgrp()
    }
}
