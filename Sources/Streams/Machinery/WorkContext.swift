import Synchronization

/// The task-locals of what a stream runs for, such as an event of a loop. They hold wherever the stream goes on: what goes on on another
/// thread, such as a turn of a scheduler, a further attempt or a body of ``AnyPublisher/run(priority:_:)``, binds them again.
@usableFromInline package enum WorkContext {
    /// The number of streams that have any. While it is 0, nothing is looked up.
    @usableFromInline package static let count = Atomic<Int>(0)
    /// True if a stream may have any.
    @inlinable @inline(__always) static var isSet: Bool { count.load(ordering: .relaxed) != 0 }

    /// Calls a closure with the task-locals of what a stream runs for.
    ///
    /// - Parameters:
    ///   - context: The `_subscriberContext` of a subscriber in the stream. Only evaluated if it may matter.
    ///   - work: The closure.
    @inlinable package static func bind(for context: @autoclosure () -> AnyObject?, _ work: () -> Void) {
        if isSet { bindLooked(for: context(), work) } else { work() }
    }

    /// Calls a closure with the task-locals of what a stream runs for, and returns its result.
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

/// An object that a body of ``AnyPublisher/run(priority:_:)`` runs for, such as a job.
@usableFromInline package protocol RunOrigin: AnyObject {
    /// True once it was cancelled. Its streams may still live: those of a loop that is isolated to an actor are cancelled there.
    var wantsNoMore: Bool { get }
    /// Calls a closure with the task-locals that hold for what runs for it. Safe from any thread.
    func bind(_ work: () -> Void)
}
