extension Publishers {
    /// A publisher that starts sending when `connect()` is called.
    public typealias MakeConnectable<Upstream: Publisher> =
        Multicast<Upstream, PassthroughSubject<Upstream.Output, Never>> where Upstream.Failure == Never
}

extension Publishers.Multicast where SubjectType == PassthroughSubject<Upstream.Output, Upstream.Failure> {
    /// Creates a publisher that serves all subscribers through a `PassthroughSubject` of its own.
    public convenience init(upstream: Upstream) { self.init(upstream: upstream) { PassthroughSubject() } }
}

extension Publisher where Failure == Never {
    /// Returns a publisher that starts sending when its `connect()` is called, so that several subscribers can subscribe first.
    public func makeConnectable() -> Publishers.MakeConnectable<Self> { Publishers.MakeConnectable(upstream: self) }
}
