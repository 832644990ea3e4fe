import Synchronization

/// A call from one ``Trampoline`` to the next, up or down the chain.
///
/// A segment runs at once, in a loop of its own, unless it begins inside a segment of an adjacent trampoline. Then it is a
/// *continuation* of that segment: it runs in the same loop, after that segment has returned and its stack is free. A call that
/// user code makes during a segment is not a continuation: it belongs to another chain, or enters its own chain at another place.
/// So it has a loop of its own, and all its work is done when it returns.
///
/// A continuation runs before the next event of the trampoline that it continues. So the order is that of nested calls.
@usableFromInline struct ChainSegment {
    /// The trampoline, and the next one below it.
    private let trampoline: ObjectIdentifier
    private let below: ObjectIdentifier?
    /// The call. It returns whether it must be called again after its continuations.
    private let call: () -> Bool

    init(at trampoline: AnyObject, below: ObjectIdentifier?, _ call: @escaping () -> Bool) {
        self.trampoline = ObjectIdentifier(trampoline)
        self.below = below
        self.call = call
    }

    /// Creates a further segment of a trampoline, which subscribes to one of several upstreams.
    private init(of trampoline: ObjectIdentifier, _ call: @escaping () -> Void) {
        self.trampoline = trampoline
        below = nil
        self.call = {
            call()
            return false
        }
    }

    /// The number of erased publishers in a segment. Calls through them take a small part of the smallest stack.
    @inlinable static var length: Int { 10 }

    /// The number of trampolines in the process. While it is 0, no look-up takes place.
    @usableFromInline static let trampolines = Atomic<Int>(0)

    /// Returns whether the current thread runs a segment of a trampoline, as it does while it subscribes to the publishers above.
    @usableFromInline static func isRunning(at trampoline: ObjectIdentifier) -> Bool {
        Line.ofThisThread?.isRunning(at: trampoline) ?? false
    }

    /// Subscribes to one of several upstreams, after the upstreams before it were subscribed to and have sent their ready values,
    /// unless the operator is closed by then.
    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    static func attach<P: Publisher, S: Subscriber>(
        _ subscriber: S, to publisher: P, at trampoline: ObjectIdentifier, unless isClosed: @escaping () -> Bool
    ) where S.Input == P.Output, S.Failure == P.Failure {
        Line.ofThisThread?.begun.append(
            ChainSegment(of: trampoline) { if !isClosed() { publisher.subscribe(subscriber) } })
    }

    func begin() {
        if let line = Line.ofThisThread, line.isContinued(by: self) { return line.begun.append(self) }
        Line.run(self, catchUps: 0)
    }

    /// Runs the segment now, ahead of the waiting segments of the current loop. Does nothing inside another such call, because
    /// these calls nest.
    func beginAhead() {
        let catchUps = Line.ofThisThread?.catchUps ?? 0
        if catchUps < 1 { Line.run(self, catchUps: catchUps + 1) }
    }

    /// A loop, with its pending segments.
    private final class Line: @unchecked Sendable {
        // Sound: the thread is constant, and only that thread uses the rest. A task that inherits the task-local value runs on
        // another thread, or when `running` is nil.
        @TaskLocal private static var current: Line?

        private let thread = currentThread()
        let catchUps: Int
        private var running: ChainSegment?
        /// The pending segments, as a stack: the next is the last.
        private var waiting: [ChainSegment] = []
        /// The continuations that the running segment has begun, in order.
        var begun: [ChainSegment] = []

        private init(catchUps: Int) { self.catchUps = catchUps }

        static var ofThisThread: Line? {
            guard let current, current.thread == currentThread(), current.running != nil else { return nil }
            return current
        }

        func isRunning(at trampoline: ObjectIdentifier) -> Bool { running?.trampoline == trampoline }

        func isContinued(by segment: ChainSegment) -> Bool {
            guard let running else { return false }
            return running.trampoline == segment.below || running.below == segment.trampoline
        }

        static func run(_ segment: ChainSegment, catchUps: Int) {
            let line = Line(catchUps: catchUps)
            line.waiting.append(segment)
            $current.withValue(line, operation: line.run)
        }

        private func run() {
            while let segment = waiting.popLast() {
                running = segment
                if segment.call() { waiting.append(segment) }
                while let next = begun.popLast() { waiting.append(next) }
            }
            running = nil
        }
    }
}
