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
    /// The values of an array's publisher, known without subscribing, if they are few; nil for all others.
    @inlinable @inline(__always) var fewReadyValues: [Output]? {
        var values: [Output]?
        if let sequence = self as? Publishers.Sequence<[Output], Failure> { values = sequence.sequence }
        if let erased = self as? AnyPublisher<Output, Failure>, case .values(let hidden) = erased.storage { values = hidden }
        return values.flatMap { $0.count <= 16 ? $0 : nil }
    }
}
