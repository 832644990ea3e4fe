import MoonlightDurability

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Writes a line to a file descriptor. If nobody reads any more, as behind `| head`, the program ends.
private func write(_ line: String, to descriptor: Int32) {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { exit(LogTool.Code.bad) }
        rest = rest.dropFirst(count)
    }
}

signal(SIGPIPE, SIG_IGN)
let tool = LogTool(print: { write($0, to: 1) }, complain: { write($0, to: 2) })
exit(tool.run(Array(CommandLine.arguments.dropFirst())))
