import Dispatch
import Streams
import SystemCalls

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Another program, whose output is a publisher of its lines and its end.
///
/// ```swift
/// ChildProcess("git", ["log", "--oneline"]).output
///     .compactMap { if case .line(let text) = $0 { Effect.lineArrived(text) } else { nil } }
/// ```
/// Each subscription starts the program once, in a separate process group and with empty input, so that it does not read the
/// terminal's keys.
///
/// When the subscription is cancelled, the process group receives `SIGTERM`, and `SIGKILL` after ``grace``. If this process exits
/// before that, the group is killed at once. See <doc:OtherPrograms>.
public struct ChildProcess: Sendable {
    /// An element of the output of a program.
    public enum Output: Hashable, Sendable {
        /// A line of the standard output, without its line end. A line of more than a million bytes is cut.
        case line(String)
        /// A line of the standard error.
        case errorLine(String)
        /// The end, which comes last.
        case exit(Exit)
    }

    /// The end of a program: an exit code or a signal.
    public enum Exit: Hashable, Sendable {
        /// The program exited with this code. 0 means success; -1 means that other code in this process has collected the exit.
        case code(Int32)
        /// This signal ended the program.
        case signal(Int32)

        /// The end of a process whose status is not known.
        static let unknown = Exit.code(-1)

        /// Decodes the system's status.
        init(status: Int32) {
            let signal = status & 0x7F
            self = signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
        }
    }

    /// The name, which is looked up in `PATH`, or the path.
    package var program: String
    /// The arguments.
    package var arguments: [String]
    /// The environment; nil for that of this process.
    package var environment: [String: String]?
    /// The time between `SIGTERM` and `SIGKILL` after a cancellation.
    public var grace = Duration.seconds(2)

    /// Describes a program to run.
    ///
    /// - Parameters:
    ///   - program: The name, which is looked up in `PATH`, or the path.
    ///   - arguments: The arguments, without the name.
    ///   - environment: The environment; nil for that of this process.
    public init(_ program: String, _ arguments: [String] = [], environment: [String: String]? = nil) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
    }

    /// False if the system would pass another text: it ends at a NUL, and the name of a variable at an equals sign.
    var isPassable: Bool {
        let variables = environment ?? [:]
        let texts = [program] + arguments + variables.keys + variables.values
        return !texts.contains { $0.utf8.contains(0) } && !variables.keys.contains { $0.isEmpty || $0.utf8.contains(61) }
    }

    /// The lines that the program prints, and its end, which comes last.
    ///
    /// Lines are read as they are requested, so that backpressure slows the program down. Lines printed before the end are
    /// delivered before it. Output of a child process that the program leaves behind is not read. Fails with an error that names
    /// the program if it cannot be started, also because an argument or a variable contains NUL.
    public var output: AnyPublisher<Output, SystemError> { ChildProcessSequence(process: self).publisher.eraseToAnyPublisher() }
}

/// The output of a process, which starts when the first element is requested.
struct ChildProcessSequence: AsyncSequence, Sendable {
    typealias Element = ChildProcess.Output
    typealias Failure = SystemError
    let process: ChildProcess

    func makeAsyncIterator() -> Iterator { Iterator(reader: Reader(process)) }

    struct Iterator: AsyncIteratorProtocol {
        let reader: Reader

        mutating func next() async throws(SystemError) -> ChildProcess.Output? { try await reader.next() }
        mutating func next(isolation: isolated (any Actor)?) async throws(SystemError) -> ChildProcess.Output? {
            try await reader.next()
        }
    }

    /// Reads the output of the process, on a queue that may block. Its deinitialization ends the process.
    final class Reader: @unchecked Sendable {
        // Sound: mutable state is only used on the queue, or behind the lock.
        private let process: ChildProcess
        private let queue = DispatchQueue(label: "moonlight.process")
        private var hasBegun = false
        private var sources: [(descriptor: Descriptor, splitter: LineSplitter, wrap: @Sendable (String) -> ChildProcess.Output)] =
            []
        /// Closed when the process has ended.
        private var end = Descriptor(number: -1)
        private var ready: [ChildProcess.Output] = []
        /// The number of ready elements that have been delivered.
        private var place = 0
        private var buffer = [UInt8](repeating: 0, count: 1 << 14)
        private var isOver = false
        private let child = Lock<(child: RunningProcess?, isCancelled: Bool)>((nil, false))

        init(_ process: ChildProcess) { self.process = process }

        deinit {
            cancel()
            for source in sources { source.descriptor.close() }
            if end.number >= 0 { end.close() }
        }

        func next() async throws(SystemError) -> ChildProcess.Output? {
            let result: Result<ChildProcess.Output?, SystemError> = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    queue.async { [self] in
                        do throws(SystemError) {
                            continuation.resume(returning: .success(try read()))
                        } catch {
                            continuation.resume(returning: .failure(error))
                        }
                    }
                }
            } onCancel: {
                cancel()
            }
            return try result.get()
        }

        /// Ends the process, by `SIGTERM` and then by `SIGKILL`.
        private func cancel() {
            let running = child.withLock { state in
                defer { state.isCancelled = true }
                return state.isCancelled ? nil : state.child
            }
            guard let running, running.poll() == nil else { return }
            running.signal(SIGTERM)
            // A stopped process cannot handle the signal.
            running.signal(SIGCONT)
            DispatchQueue.global().asyncAfter(deadline: .now() + TimeStride(process.grace).timeInterval) {
                running.signal(SIGKILL)
            }
        }

        private func read() throws(SystemError) -> ChildProcess.Output? {
            if !hasBegun { try begin() }
            while place == ready.count {
                if isOver { return nil }
                (ready, place) = ([], 0)
                readMore()
            }
            defer { place += 1 }
            return ready[place]
        }

        private func begin() throws(SystemError) {
            hasBegun = true
            // Nothing can be read until the process has started.
            isOver = true
            let (output, errors, exit) = try Self.pipes(for: process)
            let started: RunningProcess
            do throws(SystemError) {
                started = try RunningProcess.start(
                    process, on: .pipes(output: output.writeEnd.number, errors: errors.writeEnd.number))
            } catch {
                for pipe in [output, errors, exit] { pipe.close() }
                throw error
            }
            isOver = false
            for pipe in [output, errors] {
                pipe.writeEnd.close()
                _ = fcntl(pipe.readEnd.number, F_SETFL, O_NONBLOCK)
            }
            sources = [
                (output.readEnd, LineSplitter(), { @Sendable in ChildProcess.Output.line($0) }),
                (errors.readEnd, LineSplitter(), { @Sendable in ChildProcess.Output.errorLine($0) }),
            ]
            end = exit.readEnd
            startThread {
                _ = started.wait()
                exit.writeEnd.close()
                started.waitForGroup()
            }
            let isCancelled = child.withLock { state in
                state.child = started
                defer { state.isCancelled = false }
                return state.isCancelled
            }
            if isCancelled { cancel() }
        }

        /// Creates three pipes. If one fails, the others are closed.
        private static func pipes(for process: ChildProcess) throws(SystemError) -> (output: Pipe, errors: Pipe, exit: Pipe) {
            var pipes: [Pipe] = []
            do throws(SystemError) {
                for name in ["output", "errors", "end"] { pipes.append(try Pipe(for: "the \(name) of \(process.program)")) }
            } catch {
                for pipe in pipes { pipe.close() }
                throw error
            }
            return (pipes[0], pipes[1], pipes[2])
        }

        /// Waits for output or the end of the process.
        private func readMore() {
            var requests = sources.map { pollfd(fd: $0.descriptor.number, events: Int16(POLLIN), revents: 0) }
            requests.append(pollfd(fd: end.number, events: Int16(POLLIN), revents: 0))
            guard poll(&requests, nfds_t(requests.count), -1) > 0 else { return }
            guard requests[sources.count].revents == 0 else { return finish() }
            for index in sources.indices.reversed() where requests[index].revents != 0 { read(index) }
        }

        private func read(_ index: Int) {
            switch sources[index].descriptor.read(into: &buffer) {
            case .bytes(let count): take(buffer[..<count], from: index)
            case .nothingNow: break
            case .end:
                endLine(of: index)
                sources[index].descriptor.close()
                sources.remove(at: index)
            }
        }

        /// Reads the remaining output and the exit status. Children of the process may keep the pipes open, but are not waited
        /// for.
        private func finish() {
            guard let exit = child.withLock({ $0.child })?.poll() else { return }
            for index in sources.indices {
                sources[index].descriptor.drain(&buffer) { take($0, from: index) }
                endLine(of: index)
                sources[index].descriptor.close()
            }
            sources = []
            ready.append(.exit(exit))
            isOver = true
        }

        private func take(_ bytes: ArraySlice<UInt8>, from index: Int) {
            ready += sources[index].splitter.takeLines(bytes).map { sources[index].wrap($0.text) }
        }

        /// Takes a last line without a line end.
        private func endLine(of index: Int) {
            if let line = sources[index].splitter.endLine() { ready.append(sources[index].wrap(line.text)) }
        }
    }
}
