/// The logic of operators that subscribe to one publisher after another, each with the demand that is left.
@usableFromInline struct SerialLogic<Downstream: Subscriber>: FanInLogic {
    @usableFromInline typealias Run = FanIn<SerialLogic>

    /// Decides what follows when the current publisher has ended, given its error if it has failed. Returns an action that
    /// subscribes to the next publisher; nil if the end is passed on. The action runs after the owner has left.
    @usableFromInline typealias Follow = (inout SerialLogic, (any Error)?, Run) -> (() -> Void)?

    @usableFromInline enum Input {
        case value(Downstream.Input)
        /// The current publisher has turned out to be one with another appended.
        case appended(AnyPublisher<Downstream.Input, Downstream.Failure>)
    }

    /// The decisions about what follows: the last is made first, and those before it if it passes the end on.
    @usableFromInline var following: [Follow]
    /// Drops values that were not requested. Otherwise they are a mistake of the upstream.
    @usableFromInline let dropsExcess: Bool
    /// True once a value has been sent.
    @usableFromInline var hasSent = false
    /// True while the current publisher is being subscribed to.
    @usableFromInline var isSubscribing: Bool
    /// Subscribes to the next publisher, if the current one has ended while it was being subscribed to. Called when that call has
    /// returned: so a long row of publishers needs no stack.
    @usableFromInline var next: (() -> Void)?

    @inlinable init(dropsExcess: Bool = false, isSubscribing: Bool = true, _ follow: @escaping Follow) {
        following = [follow]
        self.dropsExcess = dropsExcess
        self.isSubscribing = isSubscribing
    }

    @inlinable static func appended(_ publisher: Any) -> Input? {
        (publisher as? AnyPublisher<Downstream.Input, Downstream.Failure>).map { .appended($0) }
    }

    /// Subscribes to a publisher when the one before has finished.
    @inlinable static func append<P: Publisher>(_ publisher: P) -> Follow where P.Output == Downstream.Input {
        { _, error, run in
            guard error == nil, let source = source(of: P.self, in: run) else { return nil }
            return { publisher.subscribe(source) }
        }
    }

    /// Makes the source of the next publisher, and requests all open demand at once. That includes what was due from the previous
    /// publisher. Returns nil if the downstream has cancelled.
    @inlinable
    static func source<P: Publisher>(of publisher: P.Type, in run: Run) -> FanInSource<P.Output, P.Failure, SerialLogic>?
    where P.Output == Downstream.Input {
        let source = FanInSource<P.Output, P.Failure, SerialLogic>(run, isStrict: true) { .value($0) }
        guard run.sources.admit(source) else { return nil }
        source.request(run.demand)
        run.due = .none
        return source
    }

    @inlinable mutating func receive(_ input: Input, from source: Inlet?, in run: Run) -> Completion? {
        switch input {
        case .value(let value):
            precondition(
                run.demand != .none || dropsExcess || run.isClosed,
                "\(run.name) got a value that was not requested: its upstream must send no more than request(_:) asks for")
            if run.demand == .none { return nil }
            hasSent = true
            run.deliver(value)
        case .appended(let publisher): following.append(Self.append(publisher))
        }
        return nil
    }

    @inlinable mutating func subscribed(in run: Run) -> Completion? {
        isSubscribing = false
        subscribe(in: run)
        return nil
    }

    /// Goes on when a publisher has ended. Without a source, it is the operator itself that gives up, and nothing follows.
    @inlinable mutating func ended(_ source: Inlet?, _ error: (any Error)?, in run: Run) -> Completion? {
        if let source { run.sources.forget(source) } else { following = [] }
        while next == nil, let follow = following.popLast() { next = follow(&self, error, run) }
        if next == nil {
            // After a cancellation nothing follows, and the error may not be that of the operator.
            if run.isClosed { return nil }
            return error.map { .failure(convert($0)) } ?? .finished
        }
        if !isSubscribing { subscribe(in: run) }
        return nil
    }

    /// Lets the owner subscribe to the next publisher, if there is one.
    @inlinable mutating func subscribe(in run: Run) {
        guard let next = next.take() else { return }
        isSubscribing = true
        run.subscribe(next)
    }
}

extension FanIn {
    /// Subscribes to the first publisher. What follows is subscribed to when that call has returned.
    @inlinable @inline(__always) func begin<P: Publisher, D>(with publisher: P)
    where Logic == SerialLogic<D>, P.Output == D.Input {
        attach(publisher, isStrict: true, starts: true) { .value($0) }
        post(.subscribed)
    }
}
