import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Threads that run code of the user's, which may crash or never return without anything worse than the loss of a thread.
final class Crew {
    /// What a thread has come to.
    enum Outcome: Equatable {
        case done
        case crashed(signal: Int32)
        /// It has made no progress for the time that a choice may take.
        case stuck
    }

    private let threads: [CrewThread]
    private let ends: (read: Int32, write: Int32)

    /// Starts threads.
    init(_ count: Int) {
        var ends: [Int32] = [0, 0]
        let result = pipe(&ends)
        precondition(result == 0, "an exploration needs two file descriptors, and the process has none left")
        let (read, write) = (ends[0], ends[1])
        self.ends = (read, write)
        CrashSignals.enter()
        threads = (0..<count).map { _ in CrewThread(wake: write) }
    }

    deinit {
        for thread in threads { thread.end() }
        CrashSignals.leave()
        // A thread that was given up still refers to the write end, so it stays open then.
        close(ends.read)
        if threads.allSatisfy({ !$0.isLost }) { close(ends.write) }
    }

    var count: Int { threads.count }
    /// The number of cores of the machine.
    static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// What a thread has noted last.
    func progress(of thread: Int) -> UInt64 { threads[thread].progress.value }

    /// Runs a closure on each thread, and waits for all of them.
    ///
    /// - Parameters:
    ///   - patience: The time in which a thread must make progress.
    ///   - tick: Called several times a second while they run.
    ///   - body: The closure; it is given the number of the thread, and what it notes its progress by.
    func run(patience: Duration, tick: () -> Void, _ body: @escaping @Sendable (Int, CrewProgress) -> Void) -> [Outcome] {
        for (number, thread) in threads.enumerated() { thread.start { body(number, $0) } }
        var outcomes: [Outcome?] = Array(repeating: nil, count: threads.count)
        let clock = ContinuousClock()
        var seen = threads.map { (progress: $0.progress.value, since: clock.now) }
        while outcomes.contains(nil) {
            var wait = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
            if poll(&wait, 1, 250) > 0 {
                // All that has been written, so that the pipe never fills.
                var bytes = (UInt64(0), UInt64(0))
                _ = withUnsafeMutableBytes(of: &bytes) { read(ends.read, $0.baseAddress, $0.count) }
            } else {
                tick()
            }
            for (number, thread) in threads.enumerated() where outcomes[number] == nil {
                outcomes[number] = thread.outcome
                guard outcomes[number] == nil else { continue }
                let progress = thread.progress.value
                if progress != seen[number].progress {
                    seen[number] = (progress, clock.now)
                } else if seen[number].since.duration(to: clock.now) > patience {
                    thread.giveUp()
                    outcomes[number] = .stuck
                }
            }
        }
        return outcomes.map { $0 ?? .done }
    }
}

/// Where a thread notes what it is about to do.
final class CrewProgress: Sendable {
    private let number = Atomic<UInt64>(.max)
    var value: UInt64 { number.load(ordering: .relaxed) }
    func note(_ value: UInt64) { number.store(value, ordering: .relaxed) }
}

/// A thread of a crew.
private final class CrewThread: @unchecked Sendable {
    // Sound: `body` is written before the semaphore that the thread waits for, and `isDone` is atomic; `report` is written by the
    // thread, when it crashes, before it writes to the pipe.
    private let report: UnsafeMutablePointer<CrashSignals.Report>
    private let mayStart = DispatchSemaphore(value: 0)
    private let isDone = Atomic(true)
    private var body: ((CrewProgress) -> Void)?
    private var thread = pthread_t?.none
    let progress = CrewProgress()
    private(set) var isLost = false

    init(wake: Int32) {
        report = .allocate(capacity: 1)
        report.initialize(to: .init(wake: wake))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        // As much as a main thread has, for reducers that call themselves deeply.
        pthread_attr_setstacksize(&attributes, 8 << 20)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
            var thread: pthread_t?
            let result = pthread_create(&thread, &attributes, { CrewThread.main($0) }, Unmanaged.passRetained(self).toOpaque())
        #else
            var thread = pthread_t()
            let result = pthread_create(&thread, &attributes, { CrewThread.main($0!) }, Unmanaged.passRetained(self).toOpaque())
        #endif
        pthread_attr_destroy(&attributes)
        precondition(result == 0, "an exploration cannot start a thread: error \(result)")
        self.thread = thread
    }

    private static func main(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<CrewThread>.fromOpaque(argument).takeRetainedValue().live()
        return nil
    }

    private func live() {
        // A stack of its own for the signal handler: the thread's own may be what has overflowed.
        let size = 64 << 10
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        var stack = stack_t()
        (stack.ss_sp, stack.ss_size) = (memory, size)
        sigaltstack(&stack, nil)
        pthread_setspecific(CrashSignals.key, report)
        while true {
            mayStart.wait()
            guard let body = discardingBody() else { break }
            body(progress)
            isDone.store(true, ordering: .releasing)
            var byte: UInt8 = 1
            _ = write(report.pointee.wake, &byte, 1)
        }
        pthread_setspecific(CrashSignals.key, nil)
        stack.ss_flags = Int32(SS_DISABLE)
        sigaltstack(&stack, nil)
        memory.deallocate()
        report.deallocate()
    }

    private func discardingBody() -> ((CrewProgress) -> Void)? {
        defer { body = nil }
        return body
    }

    func start(_ body: @escaping (CrewProgress) -> Void) {
        self.body = body
        isDone.store(false, ordering: .relaxed)
        mayStart.signal()
    }

    /// What the thread has come to; nil while it runs.
    var outcome: Crew.Outcome? {
        if isDone.load(ordering: .acquiring) { return .done }
        if report.pointee.signal != 0 {
            isLost = true
            return .crashed(signal: report.pointee.signal)
        }
        return nil
    }

    /// Stops the thread for good, wherever it is, and waits until it has stopped: the signal must find its handler.
    func giveUp() {
        isLost = true
        guard let thread else { return }
        pthread_kill(thread, SIGILL)
        while report.pointee.signal == 0, !isDone.load(ordering: .acquiring) { _ = poll(nil, 0, 1) }
    }

    /// Ends the thread, unless it was lost.
    func end() { if !isLost { mayStart.signal() } }
}
