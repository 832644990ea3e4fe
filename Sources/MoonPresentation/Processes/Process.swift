import Streams

/// Another program, as a publisher of the lines that it prints, and of its end.
///
/// ```swift
/// Process("git", ["log", "--oneline"]).output
///     .compactMap { if case .line(let text) = $0 { Effect.lineArrived(text) } else { nil } }
/// ```
/// Each subscription starts the program once. It runs in a process group of its own, with nothing on its input, so that the keys of
/// the terminal are neither read nor answered by it.
///
/// When the subscription is cancelled, as with the job that it belongs to, the program and all that it has started are asked to end
/// (`SIGTERM`), and two seconds later those that are left are ended (`SIGKILL`). None of them outlives this process: if it exits or crashes
/// before that, they are ended at once. The page <doc:OtherPrograms> has more.
public struct Process: Hashable, Sendable {
    /// Its name, which is looked up in `PATH`, or its path.
    public var program: String
    /// Its arguments.
    public var arguments: [String]
    /// Its environment; nil for that of this process.
    public var environment: [String: String]?
    /// How long it has between `SIGTERM` and `SIGKILL` when it is cancelled.
    public var grace = Duration.seconds(2)

    /// Describes a program to be run.
    ///
    /// - Parameters:
    ///   - program: Its name, which is looked up in `PATH`, or its path.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: Its environment; nil for that of this process.
    public init(_ program: String, _ arguments: [String] = [], environment: [String: String]? = nil) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
    }

    /// What it prints, line by line, and how it ended, which comes last.
    ///
    /// Lines are read as they are requested: a program that prints more has to wait. What it has printed by its end comes before that. A
    /// child that it leaves behind is not waited for, and is not read any more. Fails if the program cannot be started, with an error that
    /// names it.
    public var output: AnyPublisher<ProcessOutput, SystemError> { ProcessSequence(process: self).publisher.eraseToAnyPublisher() }
}

/// What comes from a process.
public enum ProcessOutput: Hashable, Sendable {
    /// A line of its standard output, without its end. A line of more than a million bytes is cut.
    case line(String)
    /// A line of its standard error.
    case errorLine(String)
    /// Its end, which comes last.
    case exit(ProcessExit)
}
