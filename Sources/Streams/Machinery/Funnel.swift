import Synchronization

/// Passes on what comes from wherever, as it comes: what merge, flatMap and every source share that sends of its own accord. What
/// the downstream has not asked for waits in `buffer`. An upstream is asked for everything if the downstream wants everything,
/// else for one value at a time, so that at most one value of each waits.
@usableFromInline struct FunnelLogic<Element, Downstream: Subscriber>: JunctionLogic {
    /// A value to pass on; one to make a publisher of, brought or left; or that the publisher of one left has been subscribed to.
    @usableFromInline enum Input { case value(Downstream.Input), element(Element), left(Element), subscribed }
    @usableFromInline typealias Funnel = Junction<FunnelLogic>
    @usableFromInline var buffer = Queue<(value: Downstream.Input, port: PortCore?)>()
    /// How many may still send.
    @usableFromInline var running: Int
    @usableFromInline var ending = Subscribers.Completion<Downstream.Failure>.finished
    /// What a publisher has: one value, ready; all sent; or what comes of subscribing to it, which is done afterwards.
    @usableFromInline enum Stock { case value(Downstream.Input), sent, unknown }
    @usableFromInline let makePublisher: ((Element, _ isLeft: Bool, Funnel) -> Stock)?
    /// Whether the owner subscribes to the publisher of an element that was left to it. Its upstream goes on meanwhile, as it
    /// would not if it had to subscribe itself: the elements that come wait in line, lest they overtake that one.
    @usableFromInline var isSubscribing = false
    @usableFromInline var line = Queue<Element>()
    /// Whether the first upstream, that of the elements, is asked for another when a publisher has ended; and for how many.
    @usableFromInline let isLimited: Bool
    @usableFromInline var owed = 0
    @inlinable init(running: Int, isLimited: Bool = false, makePublisher: ((Element, Bool, Funnel) -> Stock)? = nil) {
        (self.running, self.isLimited, self.makePublisher) = (running, isLimited, makePublisher)
    }
    @inlinable mutating func receive(_ input: Input, from port: PortCore?, in funnel: Funnel) -> Completion? {
        switch input {
        case .value(let value): pass(value, from: port, in: funnel)
        case .element(let element) where !isSubscribing: begin(element, false, in: funnel)
        case .element(let element), .left(let element):
            line.append(element)
            running += 1
            beginLine(in: funnel)
        case .subscribed:
            isSubscribing = false
            beginLine(in: funnel)
            return running == 0 && buffer.isEmpty ? ending : nil
        }
        return nil
    }
    @inlinable @inline(never) mutating func beginLine(in funnel: Funnel) {
        while !isSubscribing, let element = line.popFirst() {
            running -= 1
            begin(element, true, in: funnel)
        }
    }
    /// Makes a publisher of an element, and passes on what that has ready.
    @inlinable @inline(__always) mutating func begin(_ element: Element, _ isLeft: Bool, in funnel: Funnel) {
        switch makePublisher?(element, isLeft, funnel) {
        case .value(let value): pass(value, from: nil, in: funnel)
        case .sent: keepDue(in: funnel)
        default:
            keepDue(in: funnel)
            (isSubscribing, running) = (isLeft, running + 1)
            return
        }
        askForElements(1, in: funnel)
    }
    @inlinable static func left(_ input: Input) -> Input {
        if case .element(let element) = input { .left(element) } else { input }
    }
    @inlinable mutating func pass(_ value: Downstream.Input, from port: PortCore?, in funnel: Funnel) {
        guard funnel.demand != .none, buffer.isEmpty else { return buffer.append((value, port)) }
        funnel.deliver(value)
        keepDue(in: funnel)
        if port != nil, !funnel.wantsAll.load(ordering: .relaxed) { funnel.answer = .max(1) }
    }
    /// Nothing is due but everything: then those who were asked for one at a time are asked for that.
    @inlinable func keepDue(in funnel: Funnel) {
        if funnel.due == .unlimited { funnel.wantsAll.store(true, ordering: .releasing) } else { funnel.due = .none }
    }
    /// Publishers have ended: as many elements are wanted, once nothing waits. Asked for when the owner has left.
    @inlinable mutating func askForElements(_ count: Int, in funnel: Funnel) {
        if isLimited { owed += count }
        guard owed > 0, buffer.isEmpty, let elements = funnel.ports[0] else { return }
        funnel.afterwards { [owed] in elements.inlet.request(.max(owed)) }
        owed = 0
    }
    @inlinable mutating func requested(in funnel: Funnel) -> Completion? {
        while funnel.demand != .none, let (value, port) = buffer.popFirst() {
            funnel.deliver(value)
            port?.inlet.request(.max(1))
        }
        keepDue(in: funnel)
        askForElements(0, in: funnel)
        return running == 0 && buffer.isEmpty ? ending : nil
    }
    /// The failure of an upstream overtakes what waits; that of a source, which has no port, comes after it.
    @inlinable mutating func ended(_ port: PortCore?, _ error: Downstream.Failure?, in funnel: Funnel) -> Completion? {
        if let error {
            guard port == nil else { return .failure(error) }
            ending = .failure(error)
        }
        // The upstream of the elements keeps its place.
        if let port, makePublisher == nil || port.place > 0 {
            funnel.ports.forget(port)
            askForElements(1, in: funnel)
        }
        running -= 1
        return running == 0 && buffer.isEmpty ? ending : nil
    }
}

extension Junction {
    /// A funnel for a number of upstreams, started.
    @inlinable convenience init<D>(merging count: Int, into downstream: D) where Logic == FunnelLogic<Never, D> {
        self.init(FunnelLogic(running: count), downstream, named: "Merge")
        start()
    }
    /// Subscribes to the publisher of an element when the owner has left.
    @inlinable func merge<P: Publisher, Element, D>(later publisher: P, _ isLeft: Bool) -> Logic.Stock
    where Logic == FunnelLogic<Element, D>, P.Output == D.Input, P.Failure == D.Failure {
        afterwards { self.merge(publisher, isLate: true) }
        if isLeft { next = .value(.subscribed, from: nil) }
        return .unknown
    }
    /// Subscribes to an upstream that the funnel waits for.
    @inlinable @inline(__always) @discardableResult func merge<P: Publisher, Element, D>(_ publisher: P, isLate: Bool = false)
        -> Self
    where Logic == FunnelLogic<Element, D>, P.Output == D.Input, P.Failure == D.Failure {
        let port = Port<P.Output, P.Failure, Logic>(self) { .value($0) }
        if ports.admit(port) {
            port.inlet.request(wantsAll.load(ordering: .acquiring) ? .unlimited : .max(1))
            if isLate { publisher.subscribe(port) } else { subscribe(port, to: publisher) }
        }
        return self
    }
}
