#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A pipe whose ends other programs do not inherit.
struct Pipe {
    let readEnd: Descriptor
    let writeEnd: Descriptor

    /// - Parameter purpose: What it is for, for the error.
    init(for purpose: String) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            guard pipe(&ends) == 0 else { throw .last("make a pipe for \(purpose)") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #else
            // In one call: another thread may start a process at any time.
            guard makePipe(&ends, O_CLOEXEC) == 0 else { throw .last("make a pipe for \(purpose)") }
        #endif
        (readEnd, writeEnd) = (Descriptor(number: ends[0]), Descriptor(number: ends[1]))
    }

    func close() {
        readEnd.close()
        writeEnd.close()
    }
}

#if !canImport(Darwin)
    @_silgen_name("pipe2") private func makePipe(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32
#endif
