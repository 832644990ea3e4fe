import Synchronization

/// A subscriber that splits very long chains into segments, so that a chain of a hundred thousand publishers needs no more stack
/// than a short one.
///
/// Subscribing, delivering, requesting and cancelling are calls through the whole chain. So there is a trampoline at every tenth
/// erased publisher. Each erased publisher stores how many are nested in it (`_erasureDepth`), so that a chain of usual length
/// has no trampoline and no cost.
///
/// A trampoline passes on each event at once, with all its consequences: when a call that sends, requests or subscribes returns,
/// all of its work is done. There is one exception, which keeps the stack small: the loop of an adjacent trampoline's segment
/// runs the calls from that segment, see ``ChainSegment``.
///
/// Events of the upstream go through a mailbox, because an event may still wait here when the next arrives, perhaps on another
/// thread.
@usableFromInline
final class Trampoline<Input, Failure: Error>:
    InterceptingSubscriber<Input, Failure, AnySubscriber<Input, Failure>>, @unchecked Sendable
{
    // Sound: as the base class says; only the owner of the mailbox uses `batch`, `turn` and `share`.
    private enum Event {
        case subscription
        case value(Input, for: AnyObject?)
        case completion(Subscribers.Completion<Failure>)
    }

    private let mailbox = Mailbox<Event>()
    @exclusivity(unchecked) private var batch: [Event] = []
    /// The turn of the owner, and the number of events in the batch that it may handle.
    @exclusivity(unchecked) private var (turn, share) = (Mailbox<Event>.Turn.own, 0)
    /// The thread that owns the mailbox and has yet to handle the next event; 0 if there is none.
    private let waitingThread = Atomic<UInt>(0)
    /// The next trampoline below; nil if there is none.
    private let below: ObjectIdentifier?
    /// The context that the end of the chain provides.
    private let context: AnyObject?

    @usableFromInline init(_ downstream: AnySubscriber<Input, Failure>) {
        (below, context) = (downstream._trampoline, downstream._subscriberContext)
        super.init(downstream, named: "AnyPublisher")
        ChainSegment.trampolines.wrappingAdd(1, ordering: .relaxed)
    }

    deinit { ChainSegment.trampolines.wrappingSubtract(1, ordering: .relaxed) }

    @usableFromInline override var _trampoline: ObjectIdentifier? { ObjectIdentifier(self) }
    @usableFromInline override var _subscriberContext: AnyObject? { context }

    // MARK: Up

    @usableFromInline func attach(to publisher: HiddenPublisher<Input, Failure>) {
        begin { publisher.attach(publisher, AnySubscriber(self)) }
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) { begin { self.inlet.pass(demand) } }

    @usableFromInline override func cancel() {
        // From here on, nothing is delivered.
        outlet.close()
        begin { self.inlet.cancel() }
    }

    private func begin(_ call: @escaping () -> Void) {
        ChainSegment(at: self, below: below) {
            call()
            return false
        }.begin()
    }

    // MARK: Down

    @usableFromInline override func receive(subscription: any Subscription) {
        if inlet.fill(subscription) { take(.subscription) }
    }

    @usableFromInline override func receive(_ input: Input) -> Subscribers.Demand {
        guard !inlet.isEnded else { return .none }
        take(.value(input, for: DeliveryOrigin.current))
        return .none
    }

    @usableFromInline override func receive(completion: Subscribers.Completion<Failure>) {
        if inlet.finish() { take(.completion(completion)) }
    }

    private func take(_ event: Event) {
        if mailbox.post(event) {
            begin()
        } else if case .value = event, waitingThread.load(ordering: .relaxed) == currentThread() {
            // One call into the segment above has sent two values, so that segment contains a source, perhaps an endless one.
            ChainSegment(at: self, below: below, takeTurn).beginAhead()
        }
    }

    /// Begins to handle events, as the owner.
    private func begin() {
        waitingThread.store(currentThread(), ordering: .relaxed)
        ChainSegment(at: self, below: below, takeTurn).begin()
    }

    /// Handles one event; returns whether there is another, to be handled after all consequences of this one.
    private func takeTurn() -> Bool {
        let thread = currentThread()
        // The event may have been handled already, before this segment: see `ChainSegment.beginAhead()`.
        guard waitingThread.compareExchange(expected: thread, desired: 0, ordering: .relaxed).exchanged else { return false }
        if batch.isEmpty { share = mailbox.collect(into: &batch, as: turn) }
        if share > 0, let event = batch.popLast() {
            share -= 1
            handle(event)
        }
        let isOver = turn.slice?.isOver() == true
        if isOver || share == 0 && !batch.isEmpty {
            handOver()
            return false
        }
        if batch.isEmpty {
            let last = turn
            turn = .own
            if mailbox.leave() { return false }
            turn = last
        }
        waitingThread.store(thread, ordering: .relaxed)
        return true
    }

    /// Hands over the remaining events, which other threads have sent.
    private func handOver() {
        Handover.run { [self] in
            turn = .handover
            share = batch.count
            begin()
        }
    }

    private func handle(_ event: Event) {
        switch event {
        case .subscription: outlet.send(subscription: self)
        case .value(let value, for: let origin): DeliveryOrigin.with(origin) { deliver(value) }
        case .completion(let completion): outlet.finish(completion)
        }
    }

    private func deliver(_ value: Input) {
        let more = outlet.send(value)
        if more != .none { request(more) }
    }
}
