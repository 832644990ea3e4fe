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

/// A buffered writer of lines to standard output or another descriptor.
///
/// ```swift
/// let output = OutputLines()
/// output.write(["\(count) files"])
/// StandardStreams.exit(output.finish(of: "mytool"))
/// ```
/// Lines are collected in a buffer, which is written a millisecond later: a single line appears at once, while many lines share a
/// system call. A full buffer blocks the caller until it is written. Thread-safe.
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
    /// Writes the buffers in order.
    private let queue = DispatchQueue(label: "moonlight.output")

    /// Creates a writer.
    ///
    /// - Parameter descriptor: The descriptor, which stays open. Standard output by default.
    public convenience init(descriptor: Int32 = 1) {
        self.init(descriptor: descriptor, capacity: 1 << 16, delay: .milliseconds(1))
    }

    /// - Parameters:
    ///   - capacity: The bytes in the buffer from which a caller is blocked.
    ///   - delay: The time that a line may wait for others.
    package init(descriptor: Int32, capacity: Int = 1 << 16, delay: DispatchTimeInterval) {
        self.descriptor = Descriptor(number: descriptor)
        self.capacity = capacity
        self.delay = delay
    }

    /// The error that ended writing; nil if there is none. Later lines are dropped.
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

    /// Writes the buffer, and returns when that is done.
    package func flush() { queue.sync { empty() } }

    /// Writes the buffer, and reports an error on standard error if lines could not be written.
    ///
    /// A reader that closes its end of a pipe, as `head` does, is not an error.
    ///
    /// - Parameter program: The name of the program, for the message.
    /// - Returns: The exit code for the program: 0, or 74 if lines could not be written.
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
