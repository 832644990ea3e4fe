import Streams

/// A publisher that merges others, and has no state of its own.
private protocol MergedPublishers<Output, Failure>: Publisher {
    /// The publishers that are merged.
    var parts: [AnyPublisher<Output, Failure>] { get }
}

extension Publishers.MergeMany: MergedPublishers {
    fileprivate var parts: [AnyPublisher<Output, Failure>] { publishers.map { AnyPublisher($0) } }
}

extension Publishers.Merged: MergedPublishers {
    fileprivate var parts: [AnyPublisher<Output, Failure>] { merged.publishers }
}

/// The box of a publisher that merges others.
private protocol MergedBox {
    /// The publishers that are merged: an array of erased publishers.
    var parts: Any? { get }
}

extension HiddenPublisherOf: MergedBox where P: MergedPublishers {
    fileprivate var parts: Any? { publisher?.parts }
}

extension AnyPublisher {
    /// The publishers of which this one is a merge; nil if it is none.
    @usableFromInline var mergedParts: [AnyPublisher]? {
        if case .hidden(let box) = storage { (box as? any MergedBox)?.parts as? [AnyPublisher] } else { nil }
    }
}
