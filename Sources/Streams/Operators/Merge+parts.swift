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
