extension Publishers {
    /// A publisher that sends all values of one publisher, then all values of another.
    public struct Concatenate<Prefix: Publisher, Suffix: _Like<Prefix>>: Attaching {
        /// The type of the values sent.
        public typealias Output = Suffix.Output
        /// The type of the error that the publisher may fail with.
        public typealias Failure = Suffix.Failure
        /// The publisher whose values are sent first.
        @usableFromInline package let prefix: Prefix
        /// The publisher that is subscribed to when the prefix has finished.
        @usableFromInline package let suffix: Suffix

        /// Creates a publisher that sends all values of one publisher, then all values of another.
        @inlinable @inline(__always) init(prefix: Prefix, suffix: Suffix) {
            self.prefix = prefix
            self.suffix = suffix
        }

        @inlinable package __consuming func attach<S: Subscriber<Output, Failure>>(_ subscriber: __owned S) {
            // A publisher that another one is appended to, or that is appended itself, joins the run of the outer one: so nested
            // publishers are subscribed to one after the other, and a value passes one operator at any depth.
            if let outer = subscriber.uncovered(as: Inlet.self), outer.takesOver(appended: AnyPublisher(suffix)) {
                return prefix.subscribe(subscriber)
            }
            let logic = SerialLogic<S>(dropsExcess: true, isSubscribing: false, SerialLogic.append(suffix))
            FanIn(logic, subscriber, named: "Concatenate", passesNothing: true)
                .attach(prefix, isStrict: true, starts: true) { .value($0) }
        }
    }
}

extension Publishers.Concatenate: Sendable where Prefix: Sendable, Suffix: Sendable {}

extension Publisher {
    /// Sends the given values after this publisher's.
    @inlinable @inline(__always)
    public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
        append(elements)
    }
    /// Sends the elements of a sequence after this publisher's values.
    @inlinable @inline(__always)
    public func append<S>(_ elements: S) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> {
        append(Publishers.Sequence(sequence: elements))
    }
    /// Sends another publisher's values after this one's. The other is subscribed to when this one has finished.
    ///
    /// If this publisher finishes during a delivery, from inside it or from another thread, the other is subscribed to after that
    /// delivery, possibly on another thread. Values that a ``PassthroughSubject`` sends before that are lost; see
    /// ``switchToLatest()`` for an alternative.
    @inlinable @inline(__always)
    public func append<P>(_ publisher: P) -> Publishers.Concatenate<Self, P> { .init(prefix: self, suffix: publisher) }
    /// Sends the given values before this publisher's.
    @inlinable @inline(__always)
    public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
        prepend(elements)
    }
    /// Sends the elements of a sequence before this publisher's values.
    @inlinable @inline(__always)
    public func prepend<S>(_ elements: S) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> {
        prepend(Publishers.Sequence(sequence: elements))
    }
    /// Sends another publisher's values before this one's. This one is subscribed to when the other has finished; see `append(_:)`
    /// for when that is.
    @inlinable @inline(__always)
    public func prepend<P>(_ publisher: P) -> Publishers.Concatenate<P, Self> { .init(prefix: publisher, suffix: self) }
}
