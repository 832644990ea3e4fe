import Dispatch
import MoonPresentation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What every sample does at its beginning and its end.
public enum Sample {
    /// Runs a sample and exits with its code. A complaint goes to standard error, with the sample's name.
    ///
    /// - Parameters:
    ///   - name: The sample's name.
    ///   - body: Given the command line without the name; returns the exit code.
    public static func main(_ name: String, _ body: ([String]) throws(UserFacingError) -> Int32) -> Never {
        StandardStreams.prepare()
        do throws(UserFacingError) {
            exit(try body(Array(CommandLine.arguments.dropFirst())))
        } catch {
            StandardStreams.complain("\(name): \(error.message)")
            exit(error.exitCode)
        }
    }

    /// Whether there is a terminal to show a program on; else the sample is used in a pipe.
    public static var hasTerminal: Bool { Terminal.standard.canShow }

    /// Shows a program until the user has enough, or a signal ends it.
    ///
    /// - Returns: The exit code.
    public static func show<State, Event, Effect, Environment>(
        _ program: Program<State, Event, Effect, Environment>
    ) throws(UserFacingError) -> Int32 {
        do {
            return try program.run(onSignal: .end).exitCode
        } catch {
            throw UserFacingError(message: "cannot use the terminal: \(error)", exitCode: ExitCode.ioError)
        }
    }

    /// Prints a text of several lines, as for `--help`.
    ///
    /// - Returns: The exit code.
    public static func print(_ text: String, of name: String) -> Int32 {
        let output = OutputLines()
        output.write(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        return output.finish(of: name)
    }

    /// Waits for asynchronous work, on a thread that has nothing else to do: the main thread of a program in a pipe. Never
    /// call it from asynchronous code.
    public static func wait<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
        let result = CurrentValue<Value>()
        let isDone = DispatchSemaphore(value: 0)
        Task {
            result.value = await work()
            isDone.signal()
        }
        isDone.wait()
        guard let value = result.value else { preconditionFailure("the work has ended without a result") }
        return value
    }

    private final class CurrentValue<Value: Sendable>: @unchecked Sendable {
        // Sound: written before the semaphore is signalled, and read after that.
        var value: Value?
    }
}

extension OutputLines {
    /// Writes what is left and complains, in the name of a program, if the output could not be written.
    ///
    /// - Returns: The exit code.
    public func finish(of program: String) -> Int32 {
        flush()
        // A reader that has seen enough, as `head` has, is no failure.
        guard let failure, failure.code != EPIPE else { return ExitCode.success }
        StandardStreams.complain("\(program): \(failure)")
        return ExitCode.ioError
    }
}

extension Style {
    /// What is selected, or can be pressed.
    public static let accent = Style(foreground: .cyan, attributes: .bold)
    /// What went wrong.
    public static let alert = Style(foreground: .red, attributes: .bold)
}
