extension Publishers {
    /// A publisher that starts sending when it is told to.
    public typealias MakeConnectable<Upstream: Publisher> =
        Multicast<Upstream, PassthroughSubject<Upstream.Output, Never>> where Upstream.Failure == Never
}

extension Publishers.Multicast where SubjectType == PassthroughSubject<Upstream.Output, Upstream.Failure> {
    /// A publisher that serves all subscribers through a subject of its own.
    public convenience init(upstream: Upstream) { self.init(upstream: upstream) { PassthroughSubject() } }
}

extension Publisher where Failure == Never {
    /// Starts sending when it is told to, by `connect()`, so that all subscribers can be there first.
    public func makeConnectable() -> Publishers.MakeConnectable<Self> { Publishers.MakeConnectable(upstream: self) }
}
