import Dispatch
import Moonlight
import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Lines on their way to standard output, or to another descriptor.
///
/// ```swift
/// let output = OutputLines()
/// output.write(["\(count) files"])
/// StandardStreams.exit(output.finish(of: "mytool"))
/// ```
/// Writing appends to a buffer, which is emptied a moment later. So a single line is out at once, as people see it, while thousands of
/// lines that come quickly share a system call. A full buffer makes the writer wait. Safe from any thread.
public final class OutputLines: Sendable {
    private struct Pending {
        var bytes: [UInt8] = []
        var isScheduled = false
        var failure: SystemError?
    }

    private let descriptor: Descriptor
    private let capacity: Int
    private let delay: DispatchTimeInterval
    private let pending = Lock(Pending())
    /// Buffers are written here, one after another, so that they go out in their order.
    private let queue = DispatchQueue(label: "moonlight.output")

    /// Lines for a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: Where to write; it stays open. Standard output by default.
    ///   - capacity: How many bytes are held before a writer has to wait.
    ///   - delay: How long a line may wait for others to go with.
    public init(descriptor: Int32 = 1, capacity: Int = 1 << 16, delay: DispatchTimeInterval = .milliseconds(1)) {
        self.descriptor = Descriptor(number: descriptor)
        self.capacity = capacity
        self.delay = delay
    }

    /// The reason why nothing can be written any more, if there is one. Lines that are written after that are dropped.
    public var failure: SystemError? { pending.withLock { $0.failure } }

    /// Writes lines. Control characters in them are made visible, such as `\u{1B}`.
    public func write(_ lines: [String]) {
        enum Next {
            case nothing
            case schedule
            case flush
        }
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
        case .schedule: queue.asyncAfter(deadline: .now() + delay) { [self] in empty() }
        case .flush: flush()
        }
    }

    /// Writes what is in the buffer, and returns when that is done.
    public func flush() { queue.sync { empty() } }

    /// Writes what is in the buffer, and complains on standard error if lines could not be written.
    ///
    /// A reader that has closed its end of a pipe, as `head` does, is no failure.
    ///
    /// - Parameter program: The name of the program, for the complaint.
    /// - Returns: The exit code of the program: 0, or 74 if lines could not be written.
    public func finish(of program: String) -> Int32 {
        flush()
        guard let failure, failure.code != EPIPE else { return 0 }
        StandardStreams.complain("\(program): \(failure)")
        return 74
    }

    private func empty() {
        let full = pending.withLock { pending in
            pending.isScheduled = false
            defer { pending.bytes = [] }
            return pending.bytes
        }
        do throws(SystemError) { try descriptor.writeWhole(full) } catch {
            pending.withLock { pending in
                pending.failure = error
                pending.bytes = []
            }
        }
    }
}
