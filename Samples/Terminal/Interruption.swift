import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Lets a program that has no ``Screen`` tidy up when it is asked to end by Ctrl-C, `kill`, or the end of its session.
///
/// After that it ends as programs do: by the signal, which its caller sees. A second signal does not wait for the tidying.
public struct Interruption {
    /// Waits for the signals from now on.
    ///
    /// - Parameter tidyUp: Called once, on a thread of its own.
    public static func prepare(_ tidyUp: @escaping @Sendable () -> Void) throws(SystemError) {
        // What the caller has told the program to ignore, as `nohup` does, stays ignored.
        let signals = [SIGINT, SIGTERM, SIGHUP].filter { !SignalAction.isIgnored($0) }
        let pipe = try SignalPipe(signals)
        DispatchQueue(label: "Terminal.Interruption").async {
            var request = pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)
            var signal: Int32?
            while signal == nil {
                _ = poll(&request, 1, -1)
                signal = pipe.take().first
            }
            pipe.close()
            tidyUp()
            if let signal { kill(getpid(), signal) }
        }
    }
}
