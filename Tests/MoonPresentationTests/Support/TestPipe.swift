#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A pipe, which is closed when it is released.
final class TestPipe: @unchecked Sendable {
    // Sound: only one test uses it.
    let readEnd: Int32
    private var writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        let result = pipe(&ends)
        precondition(result == 0)
        // A process that another test starts must not hold it open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        bytes.withUnsafeBytes { _ = writeBytes(writeEnd, $0.baseAddress, $0.count) }
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }

    deinit {
        closeWriteEnd()
        close(readEnd)
    }
}

private func writeBytes(_ number: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int { write(number, start, count) }

/// Sends a signal to this process, if it has a handler for it.
func raiseIfCaught(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    #if canImport(Glibc)
        let handler = action.__sigaction_handler.sa_handler
    #elseif canImport(Musl)
        let handler = action.__sa_handler.sa_handler
    #else
        let handler = action.__sigaction_u.__sa_handler
    #endif
    guard unsafeBitCast(handler, to: Int.self) > 1 else { return false }
    return kill(getpid(), signal) == 0
}
