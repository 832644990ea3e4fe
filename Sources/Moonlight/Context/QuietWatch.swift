import Streams
import Synchronization

/// The callers that wait until nothing of a loop is in flight.
final class QuietWatch: LoopService {
    private struct Guarded: @unchecked Sendable {
        // Sound: behind the lock; closures are called, and released, outside it.
        var waiters: [Int: @Sendable () -> Void] = [:]
        /// The number of the caller that began to wait last.
        var last = 0
        weak var loop: (any AnyLoop)?
        var isOver = false
    }

    private let guarded = Lock(Guarded())
    /// Sends true when the loop begins to be drained. Its value says whether it is, for those that subscribe later.
    let draining = CurrentValueSubject<Bool, Never>(false)

    /// The number of callers that wait.
    var count: Int { guarded.withLock { $0.waiters.count } }

    /// Waits until nothing is in flight.
    ///
    /// - Parameters:
    ///   - loop: The loop, which checks now, and again when something has ended.
    ///   - notify: Called once, on the loop's thread, or on this one if the loop has ended. Nil if the loop itself waits, for
    ///     its end.
    /// - Returns: The number by which the caller ``leave(_:)``s if it stops waiting.
    @discardableResult
    func wait(for loop: any AnyLoop, _ notify: (@Sendable () -> Void)? = nil) -> Int {
        let (number, isOver) = guarded.withLock { guarded in
            if guarded.isOver { return (guarded.last, true) }
            guarded.last += 1
            if let notify { guarded.waiters[guarded.last] = notify }
            guarded.loop = loop
            return (guarded.last, false)
        }
        if isOver { notify?() } else { loop.look() }
        return number
    }

    /// Forgets a caller, which waits no more: its task was cancelled, or it has been notified.
    func leave(_ number: Int) { discard(guarded.withLock { $0.waiters.removeValue(forKey: number) }) }

    /// Makes the loop check again, because something has ended that the loop does not notice by itself.
    func lookAgain() { guarded.withLock { $0.loop }?.look() }

    /// Notifies all that wait: nothing is in flight.
    func notifyAll() {
        let waiters = guarded.withLock { guarded in
            defer { guarded.waiters = [:] }
            return guarded.waiters
        }
        for (_, notify) in waiters.sorted(by: { $0.key < $1.key }) { notify() }
    }

    /// Notifies all that wait, because the loop has ended. From now on, ``wait(for:_:)`` calls back at once.
    func end() {
        guarded.withLock { $0.isOver = true }
        notifyAll()
    }
}

extension LoopContext {
    /// Makes the loop check for quiet, if anybody waits for that. Called when something has ended that may have been the last
    /// in flight, such as a reaction.
    func lookForQuiet() { if watchesQuiet.load(ordering: .acquiring) { service(QuietWatch.self).lookAgain() } }
}

/// Marks something on its way through operators that may lead to an event of a loop: what a reaction sends, or a state that
/// is shown to feedback.
///
/// Whatever delays that on its way, such as a busy ``Streams/Mailbox``, retains this with it (`DeliveryOrigin`), so that the
/// loop is not considered quiet before it has arrived.
@usableFromInline
class Transit: @unchecked Sendable {
    // Sound: immutable. Subclasses answer for what they add.
    @usableFromInline final let context: LoopContext

    @usableFromInline
    init(_ context: LoopContext) {
        self.context = context
        context.transits.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
        context.transits.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        context.lookForQuiet()
    }
}
