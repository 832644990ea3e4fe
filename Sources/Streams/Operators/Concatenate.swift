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
            if let outer = subscriber.uncovered(as: SubscriptionSlot.self), outer.takesOver(appended: AnyPublisher(suffix)) {
                return prefix.subscribe(subscriber)
            }
            FanIn(AppendLogic<S>(suffix), subscriber, named: "Concatenate", passesNothing: true)
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

/// The logic of `append`: it subscribes to one publisher after another. The demand that is still open is requested from each.
@usableFromInline struct AppendLogic<Downstream: Subscriber>: FanInLogic {
    @usableFromInline typealias Run = FanIn<AppendLogic>
    @usableFromInline typealias Member = FanInSource<Downstream.Input, Downstream.Failure, AppendLogic>

    @usableFromInline enum Input {
        case value(Downstream.Input)
        /// The current publisher has turned out to be one with another appended.
        case appended(AnyPublisher<Downstream.Input, Downstream.Failure>)
        /// The current publisher has been subscribed to.
        case subscribed
    }

    /// Subscribe to the publishers that follow the current one; the next is the last.
    @usableFromInline var following: [(Member) -> Void]
    /// True while the owner is about to subscribe to the current publisher.
    @usableFromInline var isSubscribing = false
    /// True if the current publisher has finished meanwhile. The next one is subscribed to when that call has returned, so that a
    /// long row of publishers needs no stack.
    @usableFromInline var hasFinished = false

    @inlinable init<P: Publisher>(_ appended: P) where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
        following = [{ appended.subscribe($0) }]
    }

    @inlinable static func appended(_ publisher: Any) -> Input? {
        (publisher as? AnyPublisher<Downstream.Input, Downstream.Failure>).map { .appended($0) }
    }

    @inlinable mutating func receive(_ input: Input, from source: SubscriptionSlot?, in run: Run) -> Completion? {
        switch input {
        case .value(let value): if run.demand != .none { run.deliver(value) }
        case .appended(let publisher): following.append { publisher.subscribe($0) }
        case .subscribed:
            isSubscribing = false
            if hasFinished { return goOn(in: run) }
        }
        return nil
    }

    @inlinable mutating func ended(_ source: SubscriptionSlot?, _ error: Downstream.Failure?, in run: Run) -> Completion? {
        if let error { return .failure(error) }
        if let source { run.sources.forget(source) }
        hasFinished = true
        return isSubscribing ? nil : goOn(in: run)
    }

    /// Subscribes to the next publisher, after the owner has left.
    @inlinable mutating func goOn(in run: Run) -> Completion? {
        hasFinished = false
        guard let subscribe = following.popLast() else { return .finished }
        let source = Member(run, isStrict: true) { .value($0) }
        guard run.sources.admit(source) else { return nil }
        // Requests all open demand at once. That includes what was due from the previous publisher.
        source.inlet.request(run.demand)
        run.due = .none
        isSubscribing = true
        run.later = { subscribe(source) }
        run.next = .value(.subscribed, from: nil)
        return nil
    }
}
