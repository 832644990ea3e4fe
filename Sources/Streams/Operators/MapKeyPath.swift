extension Publishers {
    /// A publisher that sends one property of each value.
    public struct MapKeyPath<Upstream: Publisher, Output>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The key path of the property.
        public let keyPath: KeyPath<Upstream.Output, Output>

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Output, Failure>) {
            upstream.map(sendable { [keyPath] in $0[keyPath: keyPath] }).receive(subscriber: subscriber)
        }
    }

    /// A publisher that sends two properties of each value.
    public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Operator, Attaching {
        /// A tuple of the properties' values.
        public typealias Output = (Output0, Output1)
        /// The upstream publisher.
        public let upstream: Upstream
        /// The key path of the first property.
        public let keyPath0: KeyPath<Upstream.Output, Output0>
        /// The key path of the second property.
        public let keyPath1: KeyPath<Upstream.Output, Output1>

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<(Output0, Output1), Failure>) {
            upstream.map(sendable { [keyPath0, keyPath1] in ($0[keyPath: keyPath0], $0[keyPath: keyPath1]) })
                .receive(subscriber: subscriber)
        }
    }

    /// A publisher that sends three properties of each value.
    public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Operator, Attaching {
        /// A tuple of the properties' values.
        public typealias Output = (Output0, Output1, Output2)
        /// The upstream publisher.
        public let upstream: Upstream
        /// The key path of the first property.
        public let keyPath0: KeyPath<Upstream.Output, Output0>
        /// The key path of the second property.
        public let keyPath1: KeyPath<Upstream.Output, Output1>
        /// The key path of the third property.
        public let keyPath2: KeyPath<Upstream.Output, Output2>

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<(Output0, Output1, Output2), Failure>) {
            let get = { [keyPath0, keyPath1, keyPath2] (value: Upstream.Output) in
                (value[keyPath: keyPath0], value[keyPath: keyPath1], value[keyPath: keyPath2])
            }
            upstream.map(sendable(get)).receive(subscriber: subscriber)
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
