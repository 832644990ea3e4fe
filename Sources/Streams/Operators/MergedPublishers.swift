/// A publisher that merges others, and so keeps nothing that its upstreams share.
package protocol MergedPublishers<Output, Failure>: Publisher {
    /// The publishers that are merged.
    var parts: [AnyPublisher<Output, Failure>] { get }
}

extension AnyPublisher {
    /// The publishers of which this one is a merge; nil if it is none.
    @usableFromInline package var mergedParts: [AnyPublisher]? {
        guard case .hidden(let box) = storage, let merge = (box as? any HiddenBase)?.merge else { return nil }
        return merge.erasedParts as? [AnyPublisher]
    }
}

/// A box that may hide a merge.
private protocol HiddenBase { var merge: (any MergedPublishers)? { get } }

extension HiddenPublisherOf: HiddenBase {
    fileprivate var merge: (any MergedPublishers)? { base as? any MergedPublishers }
}

extension MergedPublishers {
    /// The parts, for code that does not know their type.
    fileprivate var erasedParts: Any { parts }
}

extension Publishers.MergeMany: MergedPublishers {
    package var parts: [AnyPublisher<Output, Failure>] {
        publishers as? [AnyPublisher<Output, Failure>] ?? publishers.map { AnyPublisher($0) }
    }
}

extension Publishers.Merge: MergedPublishers {
    package var parts: [AnyPublisher<Output, Failure>] { [AnyPublisher(a), AnyPublisher(b)] }
}

extension Publishers.Merge3: MergedPublishers {
    package var parts: [AnyPublisher<Output, Failure>] { [AnyPublisher(a), AnyPublisher(b), AnyPublisher(c)] }
}

extension Publishers.Merge4: MergedPublishers {
    package var parts: [AnyPublisher<Output, Failure>] { [AnyPublisher(a), AnyPublisher(b), AnyPublisher(c), AnyPublisher(d)] }
}

extension Publishers.Merge5: MergedPublishers {
    package var parts: [AnyPublisher<Output, Failure>] {
        [AnyPublisher(a), AnyPublisher(b), AnyPublisher(c), AnyPublisher(d), AnyPublisher(e)]
    }
}

extension Publishers.Merge6: MergedPublishers {
    package var parts: [AnyPublisher<Output, Failure>] {
        [AnyPublisher(a), AnyPublisher(b), AnyPublisher(c), AnyPublisher(d), AnyPublisher(e), AnyPublisher(f)]
    }
}

extension Publishers.Merge7: MergedPublishers {
    package var parts: [AnyPublisher<Output, Failure>] {
        [AnyPublisher(a), AnyPublisher(b), AnyPublisher(c), AnyPublisher(d), AnyPublisher(e), AnyPublisher(f), AnyPublisher(g)]
    }
}

extension Publishers.Merge8: MergedPublishers {
    package var parts: [AnyPublisher<Output, Failure>] {
        [
            AnyPublisher(a), AnyPublisher(b), AnyPublisher(c), AnyPublisher(d), AnyPublisher(e), AnyPublisher(f), AnyPublisher(g),
            AnyPublisher(h),
        ]
    }
}
