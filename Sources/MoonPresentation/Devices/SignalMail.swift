import Streams
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Delivers signals as bytes in a pipe, so that ordinary code handles them.
///
/// A signal handler may only call a few functions, `write` among them. Each subscriber has a pipe; their number is small, because
/// the handler looks at all of them. A program yields the signals that would end it: while others subscribe to one of them, it
/// receives nothing.
final class SignalMail: Sendable {
    /// A subscriber's pipe and signals, for the handler. Never released, because a handler may run on another thread.
    private struct Slot: ~Copyable {
        let signals = Atomic<UInt64>(0)
        /// The signals that are received only if no other slot has them among its ``signals``.
        let yielded = Atomic<UInt64>(0)
        let writeEnd = Atomic<Int32>(-1)
        let readEnd = Atomic<Int32>(-1)
    }

    private static let places = 16
    // Sound: the slots are atomics, made before the first handler is installed and never released.
    nonisolated(unsafe) private static let slots = {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: places)
        for index in 0..<places { (slots + index).initialize(to: Slot()) }
        return slots
    }()

    private struct Register {
        var taken: Set<Int> = []
        var users: [Int32: Int] = [:]
    }
    private static let register = Lock(Register())
    private static let handlers = SignalHandlers()

    private let signals: [Int32]
    private let place: Int
    private let isOpen = Atomic(true)
    /// The descriptor to wait for and read from.
    let descriptor: Descriptor

    /// Catches signals until ``close()``. Signals that the process ignores, for example under `nohup`, are not caught.
    ///
    /// - Parameters:
    ///   - signals: The signals, whose handlers are replaced.
    ///   - yielded: Signals that are caught only if they have no handler, and received only while no other subscriber has them
    ///     among its `signals`.
    init(_ signals: [Int32], yielding yielded: [Int32] = []) throws(SystemError) {
        let signals = signals.filter { signal in
            (1..<Int32(SignalAction.count)).contains(signal) && (!SignalAction.isIgnored(signal) || Self.isCaught(signal))
        }
        let yielded = yielded.filter(Self.isUnhandled)
        self.signals = signals + yielded
        guard
            let place = Self.register.withLock({ register -> Int? in
                let place = (0..<Self.places).first { !register.taken.contains($0) }
                if let place { register.taken.insert(place) }
                return place
            })
        else { throw SystemError(code: EMFILE, attempt: "catch the signals \(self.signals) for one more subscriber") }
        self.place = place
        let slot = Self.slots + place
        if slot.pointee.readEnd.load(ordering: .acquiring) < 0 {
            let pipe: Pipe
            do throws(SystemError) { pipe = try Pipe(for: "signals") } catch {
                Self.register.withLock { _ = $0.taken.remove(place) }
                throw error
            }
            // A handler must not block. If the pipe is full, the subscriber has enough to handle.
            for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end.number, F_SETFL, O_NONBLOCK) }
            slot.pointee.writeEnd.store(pipe.writeEnd.number, ordering: .releasing)
            slot.pointee.readEnd.store(pipe.readEnd.number, ordering: .releasing)
        }
        descriptor = Descriptor(number: slot.pointee.readEnd.load(ordering: .acquiring))
        // Drops signals that the previous subscriber has not read.
        var buffer = [UInt8](repeating: 0, count: 256)
        descriptor.drain(&buffer) { _ in }
        slot.pointee.signals.store(Self.bits(of: signals), ordering: .sequentiallyConsistent)
        slot.pointee.yielded.store(Self.bits(of: yielded), ordering: .sequentiallyConsistent)
        Self.register.withLock { register in
            for signal in self.signals {
                register.users[signal, default: 0] += 1
                if register.users[signal] == 1 { Self.handlers.set(Self.handler, for: signal) }
            }
        }
    }

    /// Runs a closure while no subscriber sets handlers.
    static func pausing(_ body: () -> Void) { register.withLock { _ in body() } }

    private static func isCaught(_ signal: Int32) -> Bool { register.withLock { $0.users[signal] != nil } }

    /// Indicates whether a signal has its default action, apart from handlers of this library.
    private static func isUnhandled(_ signal: Int32) -> Bool {
        let handler = register.withLock { register in
            register.users[signal] == nil ? SignalAction.handler(of: signal) : handlers.replaced(for: signal)
        }
        return handler == 0 || handler == Restoration.address
    }

    /// The signals since the last call, in order, with ``wake`` for each ``wakeUp()``.
    func take() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 256)
        guard case .bytes(let count) = descriptor.read(into: &bytes) else { return [] }
        return bytes.prefix(count).map(Int32.init)
    }

    /// The number that stands for ``wakeUp()`` among the signals.
    static let wake: Int32 = 0

    /// Wakes the thread that waits for the descriptor. Thread-safe.
    func wakeUp() {
        var byte: UInt8 = 0
        _ = write((Self.slots + place).pointee.writeEnd.load(ordering: .relaxed), &byte, 1)
    }

    /// Restores a signal's previous action until ``catchAgain(_:)``.
    func release(_ signal: Int32) {
        if signals.contains(signal) { Self.register.withLock { _ in Self.handlers.restore(signal) } }
    }

    /// Catches a signal again, after ``release(_:)``.
    func catchAgain(_ signal: Int32) {
        if signals.contains(signal) { Self.register.withLock { _ in Self.handlers.set(Self.handler, for: signal) } }
    }

    /// Stops catching signals. The pipe is kept for the next subscriber.
    func close() {
        guard isOpen.exchange(false, ordering: .sequentiallyConsistent) else { return }
        (Self.slots + place).pointee.signals.store(0, ordering: .sequentiallyConsistent)
        (Self.slots + place).pointee.yielded.store(0, ordering: .sequentiallyConsistent)
        Self.register.withLock { register in
            for signal in signals {
                register.users[signal, default: 1] -= 1
                guard register.users[signal] == 0 else { continue }
                register.users[signal] = nil
                Self.handlers.remove(Self.handler, for: signal)
                Restoration.cover(signal)
            }
            register.taken.remove(place)
        }
    }

    deinit { close() }

    /// The bit of a signal, from 1 to 64.
    private static func bit(of signal: Int32) -> UInt64 { 1 << UInt64(signal - 1) }

    private static func bits(of signals: [Int32]) -> UInt64 { signals.reduce(0) { $0 | bit(of: $1) } }

    private static let handler: @convention(c) (Int32) -> Void = { SignalMail.note($0) }

    /// Writes a signal into the pipe of each subscriber to it, or of those that yield it if there is none. Async-signal-safe.
    private static func note(_ signal: Int32) {
        let before = errno  // The interrupted code may be about to read it.
        var byte = UInt8(truncatingIfNeeded: signal)
        var isSubscribed = false
        for place in 0..<places where (slots + place).pointee.signals.load(ordering: .relaxed) & bit(of: signal) != 0 {
            isSubscribed = true
            _ = write((slots + place).pointee.writeEnd.load(ordering: .relaxed), &byte, 1)
        }
        for place in 0..<places
        where !isSubscribed && (slots + place).pointee.yielded.load(ordering: .relaxed) & bit(of: signal) != 0 {
            _ = write((slots + place).pointee.writeEnd.load(ordering: .relaxed), &byte, 1)
        }
        errno = before
    }
}
