import Dispatch
import Synchronization
import SystemCalls

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Threads that run user code, each watched for progress.
enum WatchedThreads {
    /// The way in which a thread's work ended.
    enum Outcome: Equatable {
        case done
        /// No progress within the time that a choice may take. The thread cannot be stopped: it occupies a core until the code
        /// returns or the process ends.
        case stuck
    }

    /// The number of cores of the machine.
    static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Runs a closure on some new threads, and waits until each has returned or is stuck.
    ///
    /// - Parameters:
    ///   - count: The number of threads.
    ///   - patience: The time within which a thread must make progress.
    ///   - tick: Called several times a second while they run.
    ///   - body: The closure; it receives the number of the thread, and the object on which it notes its progress.
    /// - Returns: For each thread, its outcome and the last progress noted.
    static func run(
        _ count: Int, patience: Duration, tick: () -> Void, _ body: @escaping @Sendable (Int, ThreadProgress) -> Void
    ) -> [(outcome: Outcome, progress: UInt64)] {
        let ended = DispatchSemaphore(value: 0)
        let all = (0..<count).map { _ in ThreadProgress() }
        for (number, progress) in all.enumerated() {
            startThread {
                body(number, progress)
                progress.isDone.store(true, ordering: .releasing)
                ended.signal()
            }
        }
        let clock = ContinuousClock()
        var seen = all.map { (progress: $0.value, since: clock.now, isStuck: false) }
        while true {
            var isRunning = false
            for (number, progress) in all.enumerated() where !progress.isDone.load(ordering: .acquiring) {
                if seen[number].isStuck { continue }
                isRunning = true
                let value = progress.value
                if value != seen[number].progress {
                    seen[number] = (value, clock.now, false)
                } else if seen[number].since.duration(to: clock.now) > patience {
                    seen[number].isStuck = true
                }
            }
            guard isRunning else { break }
            if ended.wait(timeout: .now() + .milliseconds(250)) == .timedOut { tick() }
        }
        return zip(all, seen).map { ($1.isStuck ? .stuck : .done, $0.value) }
    }
}

/// The progress of a thread.
final class ThreadProgress: Sendable {
    private let number = Atomic<UInt64>(.max)
    fileprivate let isDone = Atomic(false)

    var value: UInt64 { number.load(ordering: .relaxed) }

    func note(_ value: UInt64) { number.store(value, ordering: .relaxed) }
}
