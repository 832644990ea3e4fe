/// The work that the current code belongs to, such as an event of a loop or one of its jobs.
///
/// Its task-locals are bound again on each thread on which a stream continues: in an action of a scheduler, a further attempt, or a
/// body of ``AnyPublisher/run(priority:_:)``. The origin of a delivery is the work that sends the value.
@usableFromInline package enum WorkContext {
    private static let word = ThreadWord()

    /// Calls a closure with the task-locals of the work of a stream, and returns its result.
    ///
    /// - Parameters:
    ///   - context: The `_subscriberContext` of a subscriber in the stream.
    ///   - work: The closure.
    @inlinable @inline(__always)
    package static func bind<Result>(for context: (any _SubscriberContext)?, _ work: () -> Result) -> Result {
        guard let context, context._hasTaskLocals else { return work() }
        var result: Result?
        context._bind { result = work() }
        guard let result else { preconditionFailure("_bind(_:) must call its closure") }
        return result
    }

    /// The origin of the value that the current thread delivers, for use at the end of the chain; nil if there is none.
    ///
    /// A job of Moonlight sets itself as the origin around each value that it sends; by it, the loop downstream finds the effects to
    /// drop when the job is cancelled. An operator that delivers a value for another thread restores the value's origin. It belongs
    /// to the thread, and is set only for the duration of a call: a task that is started meanwhile does not inherit it.
    @usableFromInline package static var origin: AnyObject? {
        // Retained by the call that has set it.
        word.pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Indicates whether there is an origin.
    @usableFromInline package static var hasOrigin: Bool { word.pointer != nil }

    /// Calls a closure with `origin` as the origin of its deliveries, or without one if that is nil; returns its result.
    @usableFromInline package static func with<Result>(origin: AnyObject?, _ deliver: () -> Result) -> Result {
        let before = word.pointer
        word.pointer = origin.map { Unmanaged.passUnretained($0).toOpaque() }
        defer { word.pointer = before }
        return withExtendedLifetime(origin, deliver)
    }

    /// Calls a closure without an origin for its deliveries.
    @usableFromInline package static func withoutOrigin(_ deliver: () -> Void) {
        if word.pointer == nil { deliver() } else { with(origin: nil, deliver) }
    }
}
