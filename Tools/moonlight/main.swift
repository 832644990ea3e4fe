import MoonlightDurability
import MoonlightRecording

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Writes a line to a file descriptor. Ends the program if the reader has closed the pipe, as `head` does.
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
let arguments = Array(CommandLine.arguments.dropFirst())
let (out, err): ((String) -> Void, (String) -> Void) = ({ write($0, to: 1) }, { write($0, to: 2) })
let usage = "\(RecordingTool.usage)\n\(LogTool.usage)"

switch arguments.first {
case "--help", "-h", "help":
    out("\(usage)\n\n\(RecordingTool.help)")
    exit(RecordingTool.Code.good)
case "log": exit(LogTool(print: out, complain: err).run(arguments))
case let verb? where RecordingTool.verbs.contains(verb): exit(RecordingTool(print: out, complain: err).run(arguments))
default:
    err(usage)
    exit(RecordingTool.Code.usage)
}
