extension Publishers {
    /// A publisher that sends what the latest publisher sends that its upstream has sent.
    public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Operator, Attaching
    where Upstream.Output == P, P.Failure == Upstream.Failure {
        /// What is sent.
        public typealias Output = P.Output
        /// Where the publishers come from.
        public let upstream: Upstream

        /// A publisher that sends what the latest publisher sends.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) __consuming func attach<S: Subscriber<Output, Failure>>(_ subscriber: __owned S) {
            let fanIn = FanIn(SwitchLogic<P, S>(), subscriber, named: "SwitchToLatest")
            fanIn.start()
            fanIn.attach(upstream, asking: .unlimited) { .publisher($0) }
        }
    }
}

extension Publishers.SwitchToLatest: Sendable where Upstream: Sendable {}

extension Publishers.SwitchToLatest: Equatable where Upstream: Equatable {}

extension Publisher where Output: Publisher {
    /// Sends what the latest of this publisher's publishers sends; the one before is cancelled. So
    /// `query.map { search(for: $0) }.switchToLatest()` sends results for what was typed last.
    ///
    /// A publisher that arrives during a delivery, from inside it or from another thread, is subscribed to after that delivery, by the
    /// thread that delivers. So when `send` has returned, the publisher it sent may not be subscribed to yet, and what a
    /// ``PassthroughSubject`` sends before that is lost. Switch to publishers that keep what a subscriber has not seen: a
    /// ``CurrentValueSubject``, or one with ``share(replay:)``. Or send publishers and their values from one thread, outside deliveries.
    @inlinable @inline(__always)
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> where Output.Failure == Failure {
        .init(upstream: self)
    }
    /// Like `switchToLatest()` with publishers that may fail, though this one cannot.
    @_disfavoredOverload @inlinable @inline(__always)
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
    where Failure == Never { .init(upstream: setFailureType(to: Output.Failure.self)) }

    /// Like `switchToLatest()` with publishers that cannot fail.
    @_disfavoredOverload @inlinable @inline(__always) public func switchToLatest()
        -> Publishers.SwitchToLatest<
            Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
        > where Output.Failure == Never
    { .init(upstream: map(sendable { $0.setFailureType(to: Failure.self) })) }
}

extension Publisher {
    /// Turns each value into a publisher and sends what the latest of them sends; the one before is cancelled.
    ///
    /// See ``switchToLatest()`` for when the publisher is subscribed to.
    @preconcurrency @inlinable @inline(__always) public func flatMapLatest<P>(
        _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> { .init(upstream: map(transform)) }
}

/// One publisher after another: what switchToLatest and append share. What the downstream still wants is asked of each.
@usableFromInline struct SwitchLogic<P: Publisher, Downstream: Subscriber>: FanInLogic
where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    @usableFromInline enum Input { case value(P.Output), publisher(P) }
    @usableFromInline typealias Switch = FanIn<SwitchLogic>
    /// The one that is heard.
    @usableFromInline var current: FanInSourceCore?
    /// The value of a publisher that has nothing else, until it is asked for.
    @usableFromInline var ready: P.Output?
    /// What comes after the current one.
    @usableFromInline var appended: P?
    @usableFromInline let isAppending: Bool
    /// Whether nothing comes after the current one.
    @usableFromInline var isLast = false

    /// - Parameter appended: What comes second; nil if publishers come from an upstream.
    @inlinable init(appending appended: P? = nil) { (self.appended, isAppending) = (appended, appended != nil) }

    @inlinable mutating func receive(_ input: Input, from source: FanInSourceCore?, in fanIn: Switch) -> Completion? {
        switch input {
        case .publisher(let publisher):
            begin(publisher, in: fanIn)
            return requested(in: fanIn)
        case .value(let value):
            if isHeard(source) { send(value, in: fanIn) }
            return nil
        }
    }

    /// Whether an upstream has not been left. As long as something is still to be appended, there is only one.
    @inlinable func isHeard(_ source: FanInSourceCore?) -> Bool { source === current || appended != nil }

    /// Goes on with another publisher.
    @inlinable mutating func begin(_ publisher: P, in fanIn: Switch) {
        if let source = current.take() {
            source.inlet.cancel()
            fanIn.sources.forget(source)
        }
        ready = publisher.readyValue
        if ready != nil { return }
        let source = FanInSource<P.Output, P.Failure, SwitchLogic>(fanIn, isStrict: isAppending) { .value($0) }
        guard fanIn.sources.admit(source) else { return }
        current = source
        // All that is open, at once; what was due from the one before is part of it.
        source.inlet.request(fanIn.demand)
        fanIn.due = .none
        fanIn.later = { publisher.subscribe(source) }
    }

    @inlinable mutating func send(_ value: P.Output, in fanIn: Switch) {
        if fanIn.demand != .none { return fanIn.deliver(value) }
        precondition(
            isAppending, "switchToLatest got a value that it had not asked for: publishers must wait for request(_:)")
    }

    @inlinable mutating func requested(in fanIn: Switch) -> Completion? {
        if fanIn.demand != .none, let value = ready.take() { send(value, in: fanIn) }
        return isLast && current == nil && ready == nil ? .finished : nil
    }

    @inlinable mutating func ended(_ source: FanInSourceCore?, _ error: Downstream.Failure?, in fanIn: Switch) -> Completion? {
        guard let source, !source.isAsked || isHeard(source) else { return nil }
        if source.isAsked {
            precondition(
                isAppending || source.inlet.wasFilled,
                "switchToLatest got a completion first: an inner publisher must call receive(subscription:) before it")
            fanIn.sources.forget(source)
            current = nil
        } else {
            isLast = true
        }
        if let error { return .failure(error) }
        if let next = appended.take() {
            isLast = true
            begin(next, in: fanIn)
        }
        return requested(in: fanIn)
    }
}
