import Synchronization

/// A call from one trampoline to the next, up or down.
///
/// A segment that is begun runs at once, in a loop of its own, unless it is begun from inside the segment of the trampoline next to it: then
/// it is the continuation of that one, and runs in that one's loop, when the stack of that one has been given back. Calls of user code
/// are no such continuations. What user code calls from inside a segment belongs to another chain, or enters its own chain somewhere
/// else: so it gets a loop of its own, and is done when the call returns.
///
/// A continuation runs before the next event of the trampoline that it continues. So the order is that of nested calls.
@usableFromInline struct ChainSegment {
    /// The trampoline, and the next one on the way down.
    private let trampoline: ObjectIdentifier, below: ObjectIdentifier?
    /// Returns whether it is to be called again, after its continuations.
    private let call: () -> Bool

    init(at trampoline: AnyObject, below: ObjectIdentifier?, _ call: @escaping () -> Bool) {
        (self.trampoline, self.below, self.call) = (ObjectIdentifier(trampoline), below, call)
    }

    /// One more segment of a trampoline: it subscribes to one of several upstreams.
    private init(of trampoline: ObjectIdentifier, _ call: @escaping () -> Void) {
        (self.trampoline, below) = (trampoline, nil)
        self.call = {
            call()
            return false
        }
    }

    /// How many erased publishers are called through at once: a small part of the smallest stack.
    @inlinable static var length: Int { 10 }

    /// How many trampolines there are. As long as there are none, nobody looks for one.
    @usableFromInline static let trampolines = Atomic<Int>(0)

    /// Whether the current thread subscribes to what lies behind a trampoline.
    @usableFromInline static func isRunning(at trampoline: ObjectIdentifier) -> Bool {
        Line.ofThisThread?.isRunning(at: trampoline) ?? false
    }

    /// Subscribes to one of several upstreams, after those before it and all that these have ready.
    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    static func attach<P: Publisher, S: Subscriber>(_ subscriber: S, to publisher: P, at trampoline: ObjectIdentifier)
    where S.Input == P.Output, S.Failure == P.Failure {
        Line.ofThisThread?.begun.append(ChainSegment(of: trampoline) { publisher.subscribe(subscriber) })
    }

    func begin() {
        if let line = Line.ofThisThread, line.isContinued(by: self) { return line.begun.append(self) }
        Line.run(self, catchUps: 0)
    }

    /// Runs what waits in the line, before its turn. Each such call lies inside a segment, so that there must not be many.
    func beginAhead() {
        let catchUps = Line.ofThisThread?.catchUps ?? 0
        if catchUps < 1 { Line.run(self, catchUps: catchUps + 1) }
    }

    /// One loop, and what it has still to run.
    private final class Line: @unchecked Sendable {
        // Sound: the thread is constant, and only that thread looks at the rest: a task that has inherited the task-local value runs
        // on another thread, or when nothing runs here any more.
        @TaskLocal private static var current: Line?

        private let thread = currentThread()
        let catchUps: Int
        private var running: ChainSegment?
        /// The next is the last.
        private var waiting: [ChainSegment] = []
        /// What the running segment has begun.
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
