extension Publisher {
    /// The value of a publisher that sends exactly one value, known without subscribing; nil for all other publishers. Where the
    /// type is known, the compiler evaluates all but one of the casts.
    @inlinable @inline(__always) package var readyValue: Output? {
        if let just = self as? Just<Output> { return just.output }
        return readyValueOfOthers
    }

    /// The value of a publisher that is no `Just`. A separate function, because a debug build looks up all types of a function
    /// when it is called, and most ready values are a `Just`.
    @inlinable @inline(__always) var readyValueOfOthers: Output? {
        if let optional = self as? Optional<Output>.Publisher { return optional.output }
        if let once = self as? Result<Output, Failure>.Publisher { return try? once.result.get() }
        if let erased = self as? AnyPublisher<Output, Failure>, case .just(let value) = erased.storage { return value }
        return nil
    }
}
