/// A publisher that merges others, and has no state of its own.
package protocol MergedPublishers<Output, Failure>: Publisher {
    /// The publishers that are merged.
    var parts: [AnyPublisher<Output, Failure>] { get }
}

extension AnyPublisher {
    /// The publishers of which this one is a merge; nil if it is none.
    @inlinable package var mergedParts: [AnyPublisher]? {
        if case .hidden(let box) = storage { box.mergedParts as? [AnyPublisher] } else { nil }
    }
}

extension MergedPublishers {
    /// The parts, for code that is independent of their type.
    var erasedParts: Any { parts }
}
