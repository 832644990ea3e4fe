import Synchronization

extension Publishers {
    /// A publisher that transforms each value into a publisher, and sends the values of all these publishers as they arrive.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Operator
    where NewPublisher.Failure == Upstream.Failure {
        /// The type of the values sent.
        public typealias Output = NewPublisher.Output
        @usableFromInline package let upstream: Upstream
        /// The greatest number of publishers at a time.
        @usableFromInline let maxPublishers: Subscribers.Demand
        /// The closure that makes a publisher of a value.
        @usableFromInline let transform: @Sendable (Upstream.Output) -> NewPublisher

        /// Creates a publisher that sends the values of the publishers that a closure makes of the upstream's values.
        @preconcurrency @inlinable @inline(__always) init(
            _ upstream: Upstream, _ maxPublishers: Subscribers.Demand,
            _ transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
        ) {
            self.upstream = upstream
            self.maxPublishers = maxPublishers
            self.transform = transform
        }

        @inlinable @inline(__always) package __consuming func attach<S: Subscriber<Output, Failure>>(_ subscriber: __owned S) {
            let logic = FlatteningLogic<Upstream.Output, S>(running: 1, isLimited: maxPublishers != .unlimited) {
                [transform] element, isLeft, flattening in
                let publisher = WorkContext.bind(for: flattening.downstreamContext) { transform(element) }
                // The downstream may have cancelled in `transform`: then no closure of `publisher` is called.
                if flattening.demand == .unlimited, !flattening.isClosed {
                    // With unlimited demand no value waits in the buffer, so ready values can be delivered directly. The closure
                    // stops as soon as the mailbox has an item: what other threads or the downstream post is handled between two
                    // values.
                    let ready = publisher._sendReady {
                        flattening.deliver($0)
                        return !flattening.mailbox.hasMail
                    }
                    if case .taken = ready { return true }
                    if case .left(let rest) = ready { return flattening.merge(later: AnyPublisher(left: rest), isLeft) }
                }
                return flattening.merge(later: publisher, isLeft)
            }
            let flattening = FanIn(logic, subscriber, named: "FlatMap")
            flattening.start()
            flattening.attach(upstream, asking: maxPublishers) { .element($0) }
        }

        /// Passes the values of the only publisher to a closure, without a subscription, if the upstream has a single ready value.
        @inlinable @inline(__always) public func _sendReady(to take: (Output) -> Bool) -> _ReadyValues {
            guard let element = upstream.readyValue, maxPublishers != .none else { return .unready }
            let publisher = transform(element)
            let ready = publisher._sendReady(to: take)
            if case .unready = ready { return .left(HiddenPublisherOf(publisher)) }
            return ready
        }
    }
}

extension Publishers.FlatMap: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Transforms each value into a publisher, and sends the values of all these publishers as they arrive:
    /// `words.flatMap { translations(of: $0) }`.
    ///
    /// If a value arrives while another is being delivered, from inside that delivery or from another thread, its publisher is
    /// made and subscribed to after the delivery, possibly on another thread. Values that a ``PassthroughSubject`` sends before
    /// that are lost; see ``switchToLatest()`` for an alternative.
    ///
    /// - Parameters:
    ///   - maxPublishers: The greatest number of publishers to be subscribed to at a time. That many values are requested from
    ///     the upstream, and another one when a publisher has finished.
    ///   - transform: Makes a publisher of a value.
    @preconcurrency @inlinable @inline(__always) public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<P, Self> { .init(self, maxPublishers, transform) }

    /// Like ``flatMap(maxPublishers:_:)``, for a closure whose publishers cannot fail.
    @preconcurrency @_disfavoredOverload @inlinable @inline(__always) public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> {
        flatMap(maxPublishers: maxPublishers, sendable { transform($0).setFailureType(to: Failure.self) })
    }

    /// Like ``flatMap(maxPublishers:_:)``, for a closure whose publishers may fail, though this publisher cannot.
    @preconcurrency @_disfavoredOverload @inlinable @inline(__always) public func flatMap<P>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> where Failure == Never {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }
}

/// The logic that `merge`, `flatMap` and `run` share: it passes values on in the order of their arrival.
///
/// Values that the downstream has not requested wait in `buffer`. If the downstream's demand is unlimited, so is the demand on each
/// upstream; otherwise one value at a time is requested, so that at most one value of each upstream waits.
@usableFromInline struct FlatteningLogic<Element, Downstream: Subscriber>: FanInLogic {
    /// `value`: a value to pass on. `element`: an element to make a publisher of. `left`: an element that was posted because the
    /// mailbox was busy. `subscribed`: the publisher of such an element has been subscribed to. `joined`: an upstream has turned
    /// out to be a merge of a number of publishers, which are subscribed to in its place.
    @usableFromInline enum Input {
        case value(Downstream.Input)
        case element(Element)
        case left(Element)
        case joined(Int)
    }

    @usableFromInline typealias Flattening = FanIn<FlatteningLogic>
    /// The values that the downstream has not requested, each with its upstream.
    @usableFromInline var buffer = Queue<(value: Downstream.Input, source: Inlet?)>()
    /// The number of upstreams, publishers and waiting elements that may still send.
    @usableFromInline var running: Int
    /// The completion to send when nothing is running any more and the buffer is empty.
    @usableFromInline var ending = Subscribers.Completion<Downstream.Failure>.finished

    /// Makes the publisher of an element, and sends its values if they are ready; returns false if it must be subscribed to after
    /// the owner has left. Nil if the upstreams send values and not elements.
    @usableFromInline let makePublisher: ((Element, _ isLeft: Bool, Flattening) -> Bool)?
    /// True while the owner is about to subscribe to the publisher of a posted element. Meanwhile, further elements of the
    /// posting thread wait in `line`, to keep the order.
    @usableFromInline var isSubscribing = false
    /// The elements that wait while the owner subscribes.
    @usableFromInline var line = Queue<Element>()
    /// True if an element is requested from the first upstream whenever a publisher has ended.
    @usableFromInline let isLimited: Bool
    /// The number of elements that have yet to be requested.
    @usableFromInline var owed = 0

    @inlinable init(running: Int, isLimited: Bool = false, makePublisher: ((Element, Bool, Flattening) -> Bool)? = nil) {
        self.running = running
        self.isLimited = isLimited
        self.makePublisher = makePublisher
    }

    @inlinable mutating func receive(_ input: Input, from source: Inlet?, in flattening: Flattening) -> Completion? {
        switch input {
        case .value(let value): pass(value, from: source, in: flattening)
        case .element(let element) where !isSubscribing: begin(element, false, in: flattening)
        case .element(let element), .left(let element):
            line.append(element)
            running += 1
            beginLine(in: flattening)
        case .joined(let count): running += count
        }
        return nil
    }

    @inlinable mutating func subscribed(in flattening: Flattening) -> Completion? {
        isSubscribing = false
        beginLine(in: flattening)
        return running == 0 && buffer.isEmpty ? ending : nil
    }

    @inlinable @inline(never) mutating func beginLine(in flattening: Flattening) {
        while !isSubscribing, let element = line.popFirst() {
            running -= 1
            begin(element, true, in: flattening)
        }
    }

    /// Makes a publisher of an element, and passes on its ready values.
    @inlinable @inline(__always) mutating func begin(_ element: Element, _ isLeft: Bool, in flattening: Flattening) {
        let isSent = makePublisher?(element, isLeft, flattening) == true
        keepDue(in: flattening)
        if isSent { return askForElements(1, in: flattening) }
        isSubscribing = isLeft
        running += 1
    }

    @inlinable static var takesMerged: Bool { Element.self == Never.self }

    @inlinable static func left(_ input: Input) -> Input {
        if case .element(let element) = input { .left(element) } else { input }
    }

    @inlinable mutating func pass(_ value: Downstream.Input, from source: Inlet?, in flattening: Flattening) {
        guard flattening.demand != .none, buffer.isEmpty else { return buffer.append((value, source)) }
        flattening.deliver(value)
        keepDue(in: flattening)
        if source != nil, !flattening.wantsAll.load(ordering: .relaxed) { flattening.answer = .max(1) }
    }

    /// Forwards only unlimited demand; limited demand is requested one value at a time.
    @inlinable func keepDue(in flattening: Flattening) {
        if flattening.due == .unlimited { flattening.wantsAll.store(true, ordering: .releasing) } else { flattening.due = .none }
    }

    /// Requests one element for each publisher that has ended, once the buffer is empty. The request is made after the owner has
    /// left.
    @inlinable mutating func askForElements(_ count: Int, in flattening: Flattening) {
        if isLimited { owed += count }
        guard owed > 0, buffer.isEmpty, let elements = flattening.sources[0] else { return }
        flattening.afterwards { [owed] in elements.request(.max(owed)) }
        owed = 0
    }

    @inlinable mutating func requested(in flattening: Flattening) -> Completion? {
        while flattening.demand != .none, let (value, source) = buffer.popFirst() {
            flattening.deliver(value)
            source?.request(.max(1))
        }
        keepDue(in: flattening)
        askForElements(0, in: flattening)
        return running == 0 && buffer.isEmpty ? ending : nil
    }

    /// Ends with an upstream's failure at once, ahead of waiting values. The failure of a body of `run`, which has no source, is
    /// sent after them.
    @inlinable mutating func ended(_ source: Inlet?, _ error: (any Error)?, in flattening: Flattening)
        -> Completion?
    {
        if let error {
            guard source == nil else { return .failure(convert(error)) }
            ending = .failure(convert(error))
        }
        // The upstream of the elements keeps its place, which is 0.
        if let source, makePublisher == nil || source.place > 0 {
            flattening.sources.forget(source)
            askForElements(1, in: flattening)
        }
        running -= 1
        return running == 0 && buffer.isEmpty ? ending : nil
    }
}

extension FanIn {
    /// Creates and starts a flattening of a number of upstreams.
    @inlinable convenience init<D>(merging count: Int, into downstream: D) where Logic == FlatteningLogic<Never, D> {
        self.init(FlatteningLogic(running: count), downstream, named: "Merge")
        start()
    }

    /// Subscribes to the publisher of an element after the owner has left.
    @inlinable func merge<P: Publisher, Element, D>(later publisher: P, _ isLeft: Bool) -> Bool
    where Logic == FlatteningLogic<Element, D>, P.Output == D.Input, P.Failure == D.Failure {
        let action = { _ = self.merge(publisher) }
        if isLeft { subscribe(action) } else { afterwards(action) }
        return false
    }

    /// Subscribes to an upstream that `running` counts already.
    ///
    /// - Returns: If the upstream is a merge, the publishers to subscribe to in its place, the last one first.
    @inlinable @inline(__always) @discardableResult
    func merge<P: Publisher, Element, D>(_ publisher: P) -> [AnyPublisher<P.Output, P.Failure>]
    where Logic == FlatteningLogic<Element, D>, P.Output == D.Input, P.Failure == D.Failure {
        let source = FanInSource<P.Output, P.Failure, Logic>(self) { .value($0) }
        guard sources.admit(source) else { return [] }
        source.request(wantsAll.load(ordering: .acquiring) ? .unlimited : .max(1))
        guard Logic.takesMerged else {
            publisher.subscribe(source)
            return []
        }
        source.merger.store(currentThread(), ordering: .relaxed)
        publisher.subscribe(source)
        source.merger.store(0, ordering: .relaxed)
        guard let parts = source.parts as? [AnyPublisher<P.Output, P.Failure>] else { return [] }
        post(.value(.joined(parts.count), from: nil))
        source.receive(completion: .finished)
        return parts.reversed()
    }
}
