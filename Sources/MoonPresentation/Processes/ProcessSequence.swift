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
struct ProcessSequence: AsyncSequence, Sendable {
    typealias Element = ProcessOutput
    typealias Failure = SystemError
    let process: Process

    func makeAsyncIterator() -> Iterator { Iterator(reader: Reader(process)) }

    struct Iterator: AsyncIteratorProtocol {
        let reader: Reader

        mutating func next() async throws(SystemError) -> ProcessOutput? { try await reader.next() }
        mutating func next(isolation: isolated (any Actor)?) async throws(SystemError) -> ProcessOutput? {
            try await reader.next()
        }
    }

    /// Reads what the process prints, on a queue that may block. It ends the process when nobody has it any more.
    final class Reader: @unchecked Sendable {
        // Sound: what is not immutable is only used on the queue, or behind the lock.
        private let process: Process
        private let queue = DispatchQueue(label: "moonlight.process")
        private var hasBegun = false
        private var sources: [(descriptor: Descriptor, splitter: LineSplitter, wrap: @Sendable (String) -> ProcessOutput)] = []
        /// Closed when the process has ended.
        private var end = Descriptor(number: -1)
        private var ready: [ProcessOutput] = []
        private var isOver = false
        private let child = Lock<(child: ChildProcess?, isCancelled: Bool)>((nil, false))

        init(_ process: Process) { self.process = process }

        deinit {
            cancel()
            for source in sources { source.descriptor.close() }
            if end.number >= 0 { end.close() }
        }

        func next() async throws(SystemError) -> ProcessOutput? {
            let result: Result<ProcessOutput?, SystemError> = await withTaskCancellationHandler {
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

        private func read() throws(SystemError) -> ProcessOutput? {
            if !hasBegun { try begin() }
            while ready.isEmpty, !isOver { readMore() }
            return ready.isEmpty ? nil : ready.removeFirst()
        }

        private func begin() throws(SystemError) {
            hasBegun = true
            let output = try Pipe()
            let errors = try Pipe()
            let exit = try Pipe()
            let started: ChildProcess
            do throws(SystemError) {
                started = try ChildProcess.start(
                    process, on: .pipes(output: output.writeEnd.number, errors: errors.writeEnd.number))
            } catch {
                for pipe in [output, errors, exit] { pipe.close() }
                isOver = true
                throw error
            }
            for pipe in [output, errors] {
                pipe.writeEnd.close()
                _ = fcntl(pipe.readEnd.number, F_SETFL, O_NONBLOCK)
            }
            sources = [
                (output.readEnd, LineSplitter(), { @Sendable in ProcessOutput.line($0) }),
                (errors.readEnd, LineSplitter(), { @Sendable in ProcessOutput.errorLine($0) }),
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

        /// Waits until something is printed, or the process has ended.
        private func readMore() {
            var requests = sources.map { pollfd(fd: $0.descriptor.number, events: Int16(POLLIN), revents: 0) }
            requests.append(pollfd(fd: end.number, events: Int16(POLLIN), revents: 0))
            guard poll(&requests, nfds_t(requests.count), -1) > 0 else { return }
            let hasEnded = requests[sources.count].revents != 0
            for index in sources.indices.reversed() where hasEnded || requests[index].revents != 0 {
                read(index, toEnd: hasEnded)
            }
            // What it has started may still have the pipes, but it is the process that counts.
            guard hasEnded, let exit = child.withLock({ $0.child })?.poll() else { return }
            for index in sources.indices { ready += sources[index].splitter.end().map(sources[index].wrap) }
            for source in sources { source.descriptor.close() }
            sources = []
            ready.append(.exit(exit))
            isOver = true
        }

        private func read(_ index: Int, toEnd: Bool) {
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            repeat {
                switch sources[index].descriptor.read(into: &buffer) {
                case .bytes(let count): ready += sources[index].splitter.take(buffer[..<count]).map(sources[index].wrap)
                case .nothingNow: return
                case .end:
                    ready += sources[index].splitter.end().map(sources[index].wrap)
                    sources[index].descriptor.close()
                    sources.remove(at: index)
                    return
                }
            } while toEnd
        }
    }
}
