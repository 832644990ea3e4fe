import Dispatch
import Synchronization

/// Lines on their way to a file descriptor.
///
/// Writing appends to a buffer, which is emptied a moment later. So a lone line is out at once, as people see it, while of
/// many that come quickly thousands share a system call. A full buffer makes the writer wait.
public final class Output: Sendable {
    private struct Pending {
        var bytes: [UInt8] = []
        var isScheduled = false
        var failure: SystemError?
    }

    private let descriptor: Int32
    private let capacity: Int
    private let delay: DispatchTimeInterval
    private let pending = Mutex(Pending())
    /// Held while writing, so that buffers go out in their order; keeps an emptied buffer, to be filled again.
    private let spare = Mutex<[UInt8]>([])
    private let queue = DispatchQueue(label: "Terminal.Output")

    /// Lines for a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: Where to write; it stays open.
    ///   - capacity: How many bytes are held before a writer has to wait.
    ///   - delay: How long a line may wait for others to go with.
    public init(descriptor: Int32, capacity: Int = 1 << 16, delay: DispatchTimeInterval = .milliseconds(1)) {
        self.descriptor = descriptor
        self.capacity = capacity
        self.delay = delay
    }

    /// Why nothing can be written any more, if so. What is written after that is dropped.
    public var failure: SystemError? { pending.withLock { $0.failure } }

    /// Writes lines. Control characters in them are made visible.
    public func write(_ lines: [String]) {
        enum Next { case nothing, schedule, flush }
        let next = pending.withLock { pending -> Next in
            guard pending.failure == nil else { return .nothing }
            for line in lines {
                pending.bytes.append(contentsOf: line.escapingControls.utf8)
                pending.bytes.append(UInt8(ascii: "\n"))
            }
            if pending.bytes.count >= capacity { return .flush }
            if pending.isScheduled { return .nothing }
            pending.isScheduled = true
            return .schedule
        }
        switch next {
        case .nothing: break
        case .schedule: queue.asyncAfter(deadline: .now() + delay) { [self] in flush() }
        case .flush: flush()
        }
    }

    /// Writes what is in the buffer, and returns when that is done.
    public func flush() {
        spare.withLock { spare in
            var full = pending.withLock { pending in
                pending.isScheduled = false
                swap(&pending.bytes, &spare)
                return spare
            }
            spare = []
            let failure = SampleTerminal.write(full, to: descriptor)
            if let failure {
                pending.withLock { pending in
                    pending.failure = failure
                    pending.bytes = []
                }
            }
            full.removeAll(keepingCapacity: true)
            spare = full
        }
    }
}
