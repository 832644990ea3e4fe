import MoonPresentation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Commands from standard input, a line each: how a program is used in a pipe.
public enum CommandLines {
    /// What to do after a command.
    public enum Verdict: Equatable, Sendable {
        /// Read the next one.
        case goOn
        /// Read no more.
        case stop
        /// Complain about the line for this reason, and read the next one.
        case wrong(String)
    }

    /// What has become of a command.
    public enum Outcome: Equatable, Sendable {
        /// It is carried out.
        case done
        /// It could not be carried out, and the output says so.
        case failed
        /// It was refused, for this reason.
        case refused(String)
        /// It was the last one.
        case stop
    }

    /// Has one command after the other carried out, as long as anybody reads the output.
    ///
    /// - Parameters:
    ///   - program: In whose name to complain.
    ///   - output: What the commands write to; it is finished at the end.
    ///   - carryOut: Given a line.
    /// - Returns: The exit code; 1 if a command was refused or failed.
    public static func run(for program: String, _ output: OutputLines, _ carryOut: (String) -> Outcome) -> Int32 {
        var hasFailed = false
        let inputCode = read(for: program) { line in
            if output.failure != nil { return .stop }
            switch carryOut(line) {
            case .done: return .goOn
            case .stop: return .stop
            case .failed:
                hasFailed = true
                return .goOn
            case .refused(let reason):
                hasFailed = true
                return .wrong(reason)
            }
        }
        let outputCode = output.finish(of: program)
        if inputCode != ExitCode.success { return inputCode }
        if outputCode != ExitCode.success { return outputCode }
        return hasFailed ? 1 : ExitCode.success
    }

    /// Hands over one line after the other, without the white space around it; empty lines are passed over.
    ///
    /// - Parameters:
    ///   - program: In whose name to complain.
    ///   - handle: Given a line.
    /// - Returns: The exit code: whether the input could be read.
    public static func read(for program: String, _ handle: (String) -> Verdict) -> Int32 {
        var reader = LineReader(descriptor: STDIN_FILENO)
        do throws(SystemError) {
            while let line = try reader.next() {
                let text = line.text.trimmingSpaces
                if text.isEmpty, !line.isCut { continue }
                // Of a line that was cut it is not known what else it says.
                switch line.isCut ? .wrong("the line is too long") : handle(text) {
                case .goOn: break
                case .stop: return ExitCode.success
                case .wrong(let reason):
                    let shown = String(text.prefix(60))
                    StandardStreams.complain("\(program): line \(line.number): \(reason): \(shown)")
                }
            }
            return ExitCode.success
        } catch {
            StandardStreams.complain("\(program): \(error)")
            return ExitCode.noInput
        }
    }
}
