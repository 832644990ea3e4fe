extension Publishers {
    /// A publisher of one property of each value.
    public struct MapKeyPath<Upstream: Publisher, Output>: Operator {
        /// Where the values come from; the property.
        public let upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>
        /// Attaches a subscriber.
        @inlinable @inline(__always) public func receive(subscriber: some Subscriber<Output, Failure>) {
            let paths = UncheckedTransfer(keyPath)
            upstream.receive(
                trusting: MapSubscriber(downstream: subscriber) { $0[keyPath: paths.value] }, named: nil)
        }
    }
    /// A publisher of two properties of each value.
    public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Operator {
        /// The properties' values.
        public typealias Output = (Output0, Output1)
        /// Where the values come from; the first property; the second property.
        public let upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>, keyPath1: KeyPath<Upstream.Output, Output1>
        /// Attaches a subscriber.
        @inlinable @inline(__always) public func receive(subscriber: some Subscriber<(Output0, Output1), Failure>) {
            let paths = UncheckedTransfer((keyPath0, keyPath1))
            upstream.receive(
                trusting: MapSubscriber(downstream: subscriber) {
                    ($0[keyPath: paths.value.0], $0[keyPath: paths.value.1])
                }, named: nil)
        }
    }
    /// A publisher of three properties of each value.
    public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Operator {
        /// The properties' values.
        public typealias Output = (Output0, Output1, Output2)
        /// Where the values come from; the first property; the second property.
        public let upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>, keyPath1: KeyPath<Upstream.Output, Output1>
        /// The third property.
        public let keyPath2: KeyPath<Upstream.Output, Output2>
        /// Attaches a subscriber.
        @inlinable @inline(__always) public func receive(subscriber: some Subscriber<(Output0, Output1, Output2), Failure>) {
            let paths = UncheckedTransfer((keyPath0, keyPath1, keyPath2))
            upstream.receive(
                trusting: MapSubscriber(downstream: subscriber) {
                    ($0[keyPath: paths.value.0], $0[keyPath: paths.value.1], $0[keyPath: paths.value.2])
                }, named: nil)
        }
    }
}

extension Publisher {
    /// Sends one property of each value.
    public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
        .init(upstream: self, keyPath: keyPath)
    }
    /// Sends two properties of each value as a tuple.
    public func map<T0, T1>(
        _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
    ) -> Publishers.MapKeyPath2<Self, T0, T1> { .init(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1) }
    /// Sends three properties of each value as a tuple.
    public func map<T0, T1, T2>(
        _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>, _ keyPath2: KeyPath<Output, T2>
    ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
        .init(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
    }
}
