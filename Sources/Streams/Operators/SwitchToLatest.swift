extension Publishers {
    /// A publisher that sends the values of the latest publisher that its upstream has sent.
    public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Operator
    where Upstream.Output == P, P.Failure == Upstream.Failure {
        /// The type of the values sent.
        public typealias Output = P.Output
        @usableFromInline package let upstream: Upstream

        /// Creates a publisher that sends the values of the latest publisher that its upstream has sent.
        @inlinable init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) package __consuming func attach<S: Subscriber<Output, Failure>>(_ subscriber: __owned S) {
            let fanIn = FanIn(SwitchLogic<P, S>(), subscriber, named: "SwitchToLatest")
            fanIn.start()
            fanIn.attach(upstream, asking: .unlimited) { .publisher($0) }
        }
    }
}

extension Publishers.SwitchToLatest: Sendable where Upstream: Sendable {}

extension Publisher where Output: Publisher {
    /// Sends the values of the latest publisher that this publisher has sent, and cancels the one before.
    ///
    /// `query.map { search(for: $0) }.switchToLatest()` sends the results for the latest text. Finishes when this publisher and
    /// the latest of its publishers have finished; fails when either fails.
    ///
    /// If a publisher arrives during a delivery, from inside it or from another thread, it is subscribed to after that delivery,
    /// possibly on another thread. So when `send` has returned, the publisher that it sent may not be subscribed to yet. Values
    /// that a ``PassthroughSubject`` sends before that are lost. Switch to publishers that keep values for a new subscriber: a
    /// ``CurrentValueSubject``, or one with ``share(replay:)``. Or send publishers and their values from one thread, outside
    /// deliveries.
    @inlinable @inline(__always)
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> where Output.Failure == Failure {
        .init(upstream: self)
    }
    /// Like `switchToLatest()`, for publishers that may fail, though this publisher cannot.
    @_disfavoredOverload @inlinable @inline(__always)
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
    where Failure == Never { .init(upstream: setFailureType(to: Output.Failure.self)) }

    /// Like `switchToLatest()`, for publishers that cannot fail.
    @_disfavoredOverload @inlinable @inline(__always) public func switchToLatest()
        -> Publishers.SwitchToLatest<
            Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
        > where Output.Failure == Never
    { .init(upstream: map(sendable { $0.setFailureType(to: Failure.self) })) }
}

extension Publisher {
    /// Transforms each value into a publisher, and sends the values of the latest of these publishers. The one before is
    /// cancelled.
    ///
    /// See ``switchToLatest()`` for when a publisher is subscribed to.
    @preconcurrency @inlinable @inline(__always) public func flatMapLatest<P>(
        _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> { .init(upstream: map(transform)) }
}

/// The logic of `switchToLatest`. The demand that is still open is requested from each publisher.
@usableFromInline struct SwitchLogic<P: Publisher, Downstream: Subscriber>: FanInLogic
where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    @usableFromInline enum Input {
        case value(P.Output)
        case publisher(P)
    }

    @usableFromInline typealias Switch = FanIn<SwitchLogic>
    /// The source of the publisher whose values are sent; nil if there is none.
    @usableFromInline var current: Inlet?
    /// The value of a publisher that has only one, until it is requested.
    @usableFromInline var ready: P.Output?
    /// True once no publisher follows the current one.
    @usableFromInline var isLast = false

    @inlinable init() {}

    @inlinable mutating func receive(_ input: Input, from source: Inlet?, in fanIn: Switch) -> Completion? {
        switch input {
        case .publisher(let publisher):
            begin(publisher, in: fanIn)
            return requested(in: fanIn)
        case .value(let value):
            if source === current { send(value, in: fanIn) }
            return nil
        }
    }

    /// Cancels the current publisher and continues with another.
    @inlinable mutating func begin(_ publisher: P, in fanIn: Switch) {
        if let source = current.take() {
            source.cancel()
            fanIn.sources.forget(source)
        }
        ready = publisher.readyValue
        if ready != nil { return }
        let source = FanInSource<P.Output, P.Failure, SwitchLogic>(fanIn) { .value($0) }
        guard fanIn.sources.admit(source) else { return }
        current = source
        // Requests all open demand at once. That includes what was due from the previous publisher.
        source.request(fanIn.demand)
        fanIn.due = .none
        fanIn.later = { publisher.subscribe(source) }
    }

    @inlinable mutating func send(_ value: P.Output, in fanIn: Switch) {
        precondition(
            fanIn.demand != .none, "switchToLatest got a value that it had not requested: publishers must wait for request(_:)")
        fanIn.deliver(value)
    }

    @inlinable mutating func requested(in fanIn: Switch) -> Completion? {
        if fanIn.demand != .none, let value = ready.take() { send(value, in: fanIn) }
        return isLast && current == nil && ready == nil ? .finished : nil
    }

    @inlinable mutating func ended(_ source: Inlet?, _ error: (any Error)?, in fanIn: Switch) -> Completion? {
        guard let source, !source.isAsked || source === current else { return nil }
        if source.isAsked {
            precondition(
                source.wasFilled,
                "switchToLatest got a completion first: an inner publisher must call receive(subscription:) before it")
            fanIn.sources.forget(source)
            current = nil
        } else {
            isLast = true
        }
        if let error { return .failure(convert(error)) }
        return requested(in: fanIn)
    }
}
