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

/// The origin of the value that the current thread delivers, for use at the end of the chain. A job of Moonlight sets itself as
/// the origin around each value that it sends; by it, the loop downstream finds the effects to drop when the job is cancelled. An
/// operator that delivers a value for another thread restores the value's origin.
///
/// It belongs to the thread, and is set only for the duration of a call: a task that is started meanwhile does not inherit it.
@usableFromInline package enum DeliveryOrigin {
    private static let word = ThreadWord()

    /// The origin of the delivery in progress; nil if there is none.
    @usableFromInline package static var current: AnyObject? {
        // Retained by the call that has set it.
        word.pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Indicates whether there is an origin.
    @usableFromInline package static var isSet: Bool { word.pointer != nil }

    /// Calls a closure with `origin` as the origin of its deliveries, or without one if that is nil; returns its result.
    @usableFromInline package static func with<Result>(_ origin: AnyObject?, _ deliver: () -> Result) -> Result {
        let before = word.pointer
        word.pointer = origin.map { Unmanaged.passUnretained($0).toOpaque() }
        defer { word.pointer = before }
        return withExtendedLifetime(origin, deliver)
    }

    /// Calls a closure without an origin for its deliveries.
    @usableFromInline package static func none(_ deliver: () -> Void) {
        if word.pointer == nil { deliver() } else { with(nil, deliver) }
    }
}
