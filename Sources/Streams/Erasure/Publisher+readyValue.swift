extension Publisher {
    /// The only value of a publisher that has nothing but one value, known without subscribing; nil for all others. Where the
    /// type is known, all but one of the questions are answered by the compiler.
    @inlinable @inline(__always) package var readyValue: Output? {
        if let just = self as? Just<Output> { return just.output }
        if let optional = self as? Optional<Output>.Publisher { return optional.output }
        if let once = self as? Result<Output, Failure>.Publisher { return try? once.result.get() }
        if let erased = self as? AnyPublisher<Output, Failure>, case .just(let value) = erased.storage { return value }
        return nil
    }
}
