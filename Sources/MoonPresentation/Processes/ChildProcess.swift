import Streams

/// Another program, as a publisher of the lines that it prints, and of its end.
///
/// ```swift
/// ChildProcess("git", ["log", "--oneline"]).output
///     .compactMap { if case .line(let text) = $0 { Effect.lineArrived(text) } else { nil } }
/// ```
/// Each subscription starts the program once. It runs in a process group of its own, with nothing on its input, so that the keys of
/// the terminal are neither read nor answered by it.
///
/// When the subscription is cancelled, as with the job that it belongs to, the program and all that it has started are asked to end
/// (`SIGTERM`), and two seconds later those that are left are ended (`SIGKILL`). If this process exits before that, they are ended at once.
/// The page <doc:OtherPrograms> has more.
public struct ChildProcess: Hashable, Sendable {
    /// An element of the output of a process.
    public enum Output: Hashable, Sendable {
        /// A line of its standard output, without its end. A line of more than a million bytes is cut.
        case line(String)
        /// A line of its standard error.
        case errorLine(String)
        /// Its end, which comes last.
        case exit(Exit)
    }

    /// The end of a process: a code or a signal.
    public enum Exit: Hashable, Sendable {
        /// It has ended itself, with this code. 0 means that all is well.
        case code(Int32)
        /// It was ended by this signal.
        case signal(Int32)

        /// Indicates whether it has ended well.
        public var isSuccess: Bool { self == .code(0) }

        /// Reads what the system says.
        init(status: Int32) {
            let signal = status & 0x7F
            self = signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
        }
    }

    /// Its name, which is looked up in `PATH`, or its path.
    public var program: String
    /// Its arguments.
    public var arguments: [String]
    /// Its environment; nil for that of this process.
    public var environment: [String: String]?
    /// The time between `SIGTERM` and `SIGKILL` when it is cancelled.
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

    /// The lines that it prints, and its end, which comes last.
    ///
    /// Lines are read as they are requested: a program that prints more has to wait. What it has printed by its end comes before that. A
    /// child that it leaves behind is not waited for, and is not read any more. Fails if the program cannot be started, with an error that
    /// names it.
    public var output: AnyPublisher<Output, SystemError> { ChildProcessSequence(process: self).publisher.eraseToAnyPublisher() }
}
