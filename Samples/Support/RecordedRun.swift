import MoonPresentation
import Moonlight
import MoonlightRecording
import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A run of a sample that may be kept in a file: `--record FILE`. The program `moonlight` shows what is in it.
public struct RecordedRun<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    /// What is recorded; nil if nobody has asked for it.
    public let recording: Recording<State, Event, Effect>?

    /// Begins a run.
    ///
    /// - Parameters:
    ///   - path: The file, which is written while the program runs; nil for none.
    ///   - recording: Made only if there is a file.
    /// - Throws: A complaint if the file cannot be written.
    public init(
        in path: String?, _ recording: @autoclosure () -> Recording<State, Event, Effect>
    ) throws(UserFacingError) {
        guard let path else {
            self.recording = nil
            return
        }
        let recording = recording()
        do throws(RecordingError) { try recording.follow(in: path) } catch {
            throw UserFacingError(message: "\(error)", exitCode: ExitCode.ioError)
        }
        self.recording = recording
    }

    /// The options of a loop that is recorded.
    ///
    /// - Parameter journal: Given each record, too.
    public func options(
        journal: (@Sendable (JournalRecord<State, Event, Effect>) -> Void)? = nil
    ) -> LoopOptions<State, Event, Effect> {
        guard let recording else { return LoopOptions(journal: journal) }
        var options = LoopOptions(journal: recording)
        if let journal {
            options.journal = { record in
                recording.take(record)
                journal(record)
            }
        }
        return options
    }

    /// The environment of a loop that is recorded.
    ///
    /// - Parameters:
    ///   - live: The environment.
    ///   - recorded: Wraps its functions.
    public func environment<Environment>(
        _ live: Environment, _ recorded: (Environment, Recording<State, Event, Effect>) -> Environment
    ) -> Environment {
        recording.map { recorded(live, $0) } ?? live
    }

    /// Does what the sample does, and writes the rest of the file.
    ///
    /// A signal that ends the program meanwhile does so when the file is written.
    ///
    /// - Parameters:
    ///   - name: The sample's name.
    ///   - catchesSignals: Whether this waits for signals, unless the sample is in a terminal; else the sample does, and calls
    ///     ``finish(of:)``.
    ///   - body: Returns the exit code.
    /// - Returns: The exit code; not 0 if the file could not be written.
    public func run(
        _ name: String, catchesSignals: Bool = true, _ body: () throws(UserFacingError) -> Int32
    ) throws(UserFacingError) -> Int32 {
        var signals: AnyCancellable?
        if recording != nil, catchesSignals, !Sample.hasTerminal {
            signals = Signals(SIGINT, SIGTERM, SIGHUP).publisher.first().sink { signal in
                _ = finish(of: name)
                Signals.endProcess(by: signal)
            }
        }
        defer { signals?.cancel() }
        let code: Int32
        do throws(UserFacingError) { code = try body() } catch {
            _ = finish(of: name)
            throw error
        }
        let fileCode = finish(of: name)
        return code == ExitCode.success ? fileCode : code
    }

    /// Writes what the file does not have yet, and complains, in the name of a sample, if it could not be written.
    ///
    /// - Returns: The exit code.
    public func finish(of name: String) -> Int32 {
        recording?.flush()
        guard let failure = recording?.fileFailure else { return ExitCode.success }
        StandardStreams.complain("\(name): \(failure)")
        return ExitCode.ioError
    }
}
