import Synchronization

/// Passes on what comes from wherever, as it comes: what merge, flatMap and every source share that sends of its own accord. What
/// the downstream has not asked for waits in `buffer`. An upstream is asked for everything if the downstream wants everything,
/// else for one value at a time, so that at most one value of each waits.
@usableFromInline struct FlatteningLogic<Element, Downstream: Subscriber>: FanInLogic {
    /// A value to pass on; one to make a publisher of, brought or left; or that the publisher of one left has been subscribed to.
    @usableFromInline enum Input { case value(Downstream.Input), element(Element), left(Element), subscribed }

    @usableFromInline typealias Flattening = FanIn<FlatteningLogic>
    @usableFromInline var buffer = Queue<(value: Downstream.Input, source: FanInSourceCore?)>()
    /// How many may still send.
    @usableFromInline var running: Int
    @usableFromInline var ending = Subscribers.Completion<Downstream.Failure>.finished

    /// What a publisher has: one value, ready; all sent; or what comes of subscribing to it, which is done afterwards.
    @usableFromInline enum Stock { case value(Downstream.Input), sent, unknown }

    @usableFromInline let makePublisher: ((Element, _ isLeft: Bool, Flattening) -> Stock)?
    /// Whether the owner subscribes to the publisher of an element that was left to it. Its upstream goes on meanwhile, as it
    /// would not if it had to subscribe itself: the elements that come wait in line, lest they overtake that one.
    @usableFromInline var isSubscribing = false
    @usableFromInline var line = Queue<Element>()
    /// Whether the first upstream, that of the elements, is asked for another when a publisher has ended; and for how many.
    @usableFromInline let isLimited: Bool
    @usableFromInline var owed = 0

    @inlinable init(running: Int, isLimited: Bool = false, makePublisher: ((Element, Bool, Flattening) -> Stock)? = nil) {
        (self.running, self.isLimited, self.makePublisher) = (running, isLimited, makePublisher)
    }

    @inlinable mutating func receive(_ input: Input, from source: FanInSourceCore?, in flattening: Flattening) -> Completion? {
        switch input {
        case .value(let value): pass(value, from: source, in: flattening)
        case .element(let element) where !isSubscribing: begin(element, false, in: flattening)
        case .element(let element), .left(let element):
            line.append(element)
            running += 1
            beginLine(in: flattening)
        case .subscribed:
            isSubscribing = false
            beginLine(in: flattening)
            return running == 0 && buffer.isEmpty ? ending : nil
        }
        return nil
    }

    @inlinable @inline(never) mutating func beginLine(in flattening: Flattening) {
        while !isSubscribing, let element = line.popFirst() {
            running -= 1
            begin(element, true, in: flattening)
        }
    }

    /// Makes a publisher of an element, and passes on what that has ready.
    @inlinable @inline(__always) mutating func begin(_ element: Element, _ isLeft: Bool, in flattening: Flattening) {
        switch makePublisher?(element, isLeft, flattening) {
        case .value(let value): pass(value, from: nil, in: flattening)
        case .sent: keepDue(in: flattening)
        default:
            keepDue(in: flattening)
            (isSubscribing, running) = (isLeft, running + 1)
            return
        }
        askForElements(1, in: flattening)
    }

    @inlinable static func left(_ input: Input) -> Input {
        if case .element(let element) = input { .left(element) } else { input }
    }

    @inlinable mutating func pass(_ value: Downstream.Input, from source: FanInSourceCore?, in flattening: Flattening) {
        guard flattening.demand != .none, buffer.isEmpty else { return buffer.append((value, source)) }
        flattening.deliver(value)
        keepDue(in: flattening)
        if source != nil, !flattening.wantsAll.load(ordering: .relaxed) { flattening.answer = .max(1) }
    }

    /// Nothing is due but everything: then those who were asked for one at a time are asked for that.
    @inlinable func keepDue(in flattening: Flattening) {
        if flattening.due == .unlimited { flattening.wantsAll.store(true, ordering: .releasing) } else { flattening.due = .none }
    }

    /// Publishers have ended: as many elements are wanted, once nothing waits. Asked for when the owner has left.
    @inlinable mutating func askForElements(_ count: Int, in flattening: Flattening) {
        if isLimited { owed += count }
        guard owed > 0, buffer.isEmpty, let elements = flattening.sources[0] else { return }
        flattening.afterwards { [owed] in elements.inlet.request(.max(owed)) }
        owed = 0
    }

    @inlinable mutating func requested(in flattening: Flattening) -> Completion? {
        while flattening.demand != .none, let (value, source) = buffer.popFirst() {
            flattening.deliver(value)
            source?.inlet.request(.max(1))
        }
        keepDue(in: flattening)
        askForElements(0, in: flattening)
        return running == 0 && buffer.isEmpty ? ending : nil
    }

    /// The failure of an upstream overtakes what waits; that of a body of `run`, which has no source, comes after it.
    @inlinable mutating func ended(_ source: FanInSourceCore?, _ error: Downstream.Failure?, in flattening: Flattening)
        -> Completion?
    {
        if let error {
            guard source == nil else { return .failure(error) }
            ending = .failure(error)
        }
        // The upstream of the elements keeps its place.
        if let source, makePublisher == nil || source.place > 0 {
            flattening.sources.forget(source)
            askForElements(1, in: flattening)
        }
        running -= 1
        return running == 0 && buffer.isEmpty ? ending : nil
    }
}

extension FanIn {
    /// A flattening for a number of upstreams, started.
    @inlinable convenience init<D>(merging count: Int, into downstream: D) where Logic == FlatteningLogic<Never, D> {
        self.init(FlatteningLogic(running: count), downstream, named: "Merge")
        start()
    }

    /// Subscribes to the publisher of an element when the owner has left.
    @inlinable func merge<P: Publisher, Element, D>(later publisher: P, _ isLeft: Bool) -> Logic.Stock
    where Logic == FlatteningLogic<Element, D>, P.Output == D.Input, P.Failure == D.Failure {
        afterwards { self.merge(publisher, isLate: true) }
        if isLeft { next = .value(.subscribed, from: nil) }
        return .unknown
    }

    /// Subscribes to an upstream that the flattening waits for.
    @inlinable @inline(__always) @discardableResult func merge<P: Publisher, Element, D>(_ publisher: P, isLate: Bool = false)
        -> Self
    where Logic == FlatteningLogic<Element, D>, P.Output == D.Input, P.Failure == D.Failure {
        let source = FanInSource<P.Output, P.Failure, Logic>(self) { .value($0) }
        if sources.admit(source) {
            source.inlet.request(wantsAll.load(ordering: .acquiring) ? .unlimited : .max(1))
            if isLate { publisher.subscribe(source) } else { subscribe(source, to: publisher) }
        }
        return self
    }
}
