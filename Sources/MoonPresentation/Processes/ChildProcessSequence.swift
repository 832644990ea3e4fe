import Dispatch
import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The output of a process, which is started when the first element is asked for.
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

    /// Reads what the process prints, on a queue that may block. It ends the process when nobody has it any more.
    final class Reader: @unchecked Sendable {
        // Sound: what is not immutable is only used on the queue, or behind the lock.
        private let process: ChildProcess
        private let queue = DispatchQueue(label: "moonlight.process")
        private var hasBegun = false
        private var sources: [(descriptor: Descriptor, splitter: LineSplitter, wrap: @Sendable (String) -> ChildProcess.Output)] =
            []
        /// Closed when the process has ended.
        private var end = Descriptor(number: -1)
        private var ready: [ChildProcess.Output] = []
        /// How many of those that are ready have been passed on.
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

        /// Ends the process, first politely.
        private func cancel() {
            let running = child.withLock { state in
                defer { state.isCancelled = true }
                return state.isCancelled ? nil : state.child
            }
            guard let running, running.poll() == nil else { return }
            running.signal(SIGTERM)
            // One that is stopped could not even end.
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
            // Until it has started, there is nothing to read.
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
            }
            let isCancelled = child.withLock { state in
                state.child = started
                defer { state.isCancelled = false }
                return state.isCancelled
            }
            if isCancelled { cancel() }
        }

        /// Three pipes, or none.
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

        /// Waits until something is printed, or the process has ended.
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

        /// Reads what the process has left, and its exit. What it has started may still have the pipes and write, but it is the process
        /// that counts.
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
            ready += sources[index].splitter.take(bytes).map(sources[index].wrap)
        }

        /// Takes a last line that has no end of its own.
        private func endLine(of index: Int) { ready += sources[index].splitter.end().map(sources[index].wrap) }
    }
}
