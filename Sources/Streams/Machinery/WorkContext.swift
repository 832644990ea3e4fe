import Synchronization

/// The task-locals of the work of a stream, such as an event of a loop. They are bound again on each thread on which the stream
/// continues: in an action of a scheduler, a further attempt, or a body of ``AnyPublisher/run(priority:_:)``.
@usableFromInline package enum WorkContext {
    /// The number of streams with such task-locals. While it is 0, no look-up takes place.
    @usableFromInline package static let count = Atomic<Int>(0)
    /// True if a stream may have such task-locals.
    @inlinable @inline(__always) static var isSet: Bool { count.load(ordering: .relaxed) != 0 }

    /// Calls a closure with the task-locals of the work of a stream.
    ///
    /// - Parameters:
    ///   - context: The `_subscriberContext` of a subscriber in the stream. Only evaluated if it may matter.
    ///   - work: The closure.
    @inlinable package static func bind(for context: @autoclosure () -> AnyObject?, _ work: () -> Void) {
        if isSet { bindLooked(for: context(), work) } else { work() }
    }

    /// Calls a closure with the task-locals of the work of a stream, and returns its result.
    @inlinable @inline(__always)
    static func bound<Result>(for context: @autoclosure () -> AnyObject?, _ work: () -> Result) -> Result {
        isSet ? boundLooked(for: context(), work) : work()
    }

    @usableFromInline static func boundLooked<Result>(for context: AnyObject?, _ work: () -> Result) -> Result {
        var result: Result?
        bindLooked(for: context) { result = work() }
        guard let result else { preconditionFailure("RunOrigin.bind must call its closure") }
        return result
    }

    @usableFromInline static func bindLooked(for context: AnyObject?, _ work: () -> Void) {
        if let origin = context as? any RunOrigin { origin.bind(work) } else { work() }
    }
}

/// The work for which a body of ``AnyPublisher/run(priority:_:)`` runs, such as a job.
@usableFromInline package protocol RunOrigin: AnyObject {
    /// True once it was cancelled. Its streams may still live: those of a loop that is isolated to an actor are cancelled there.
    var wantsNoMore: Bool { get }
    /// Calls a closure with the task-locals of this work. Safe from any thread.
    func bind(_ work: () -> Void)
}
