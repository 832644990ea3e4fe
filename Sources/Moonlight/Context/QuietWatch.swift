import Streams

/// A loop, as what can be made to look whether anything is in flight, when its turn comes.
@usableFromInline
protocol QuietLoop: AnyObject, Sendable { func look() }

/// Who waits until nothing of a loop is in flight any more.
final class QuietWatch: LoopService {
    private struct Guarded: @unchecked Sendable {
        // Sound: behind the lock; closures are called, and let go of, outside it.
        var waiters: [@Sendable () -> Void] = []
        weak var loop: (any QuietLoop)?
        var isOver = false
    }

    private let guarded = Lock(Guarded())
    /// Told that the loop is being drained: the value is whether it is, for those that come later.
    let draining = CurrentValueSubject<Bool, Never>(false)

    /// Waits.
    ///
    /// - Parameters:
    ///   - loop: The loop, which looks, now and when something has ended.
    ///   - tell: Called once, on the loop's thread, or here if the loop has ended. Nil if it is the loop itself that waits, for its end.
    func wait(for loop: any QuietLoop, _ tell: (@Sendable () -> Void)? = nil) {
        let isOver = guarded.withLock { guarded in
            if guarded.isOver { return true }
            if let tell { guarded.waiters.append(tell) }
            guarded.loop = loop
            return false
        }
        if isOver { tell?() } else { loop.look() }
    }

    /// Something has ended that the loop does not see by itself.
    func lookAgain() { guarded.withLock { $0.loop }?.look() }

    /// Nothing is in flight.
    func tell() {
        let waiters = guarded.withLock { guarded in
            defer { guarded.waiters = [] }
            return guarded.waiters
        }
        for tell in waiters { tell() }
    }

    /// The loop has ended, and nothing of it is in flight.
    func end() {
        guarded.withLock { $0.isOver = true }
        tell()
    }
}

extension LoopContext {
    /// A reaction has ended, or what else may be the last that was in flight.
    func lookForQuiet() { if watchesQuiet.load(ordering: .acquiring) { service(QuietWatch.self).lookAgain() } }
}
