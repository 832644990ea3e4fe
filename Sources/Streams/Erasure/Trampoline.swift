import Synchronization

/// Where the calls through a very long chain are cut into segments, so that a chain of a hundred thousand publishers needs no more
/// stack than a short one.
///
/// To subscribe, deliver, ask and cancel are calls through the whole chain. So a trampoline stands behind every tenth erased
/// publisher. An erased publisher knows how many lie behind it (`_erasureDepth`): a chain of usual length has no trampoline and pays nothing.
///
/// A trampoline passes on what reaches it at once, and what follows from that, however far it goes: whoever sends, asks or subscribes
/// finds all of it done when the call returns. There is one exception, by which the stack stays small: what comes from
/// the segment of the trampoline next to it is left to the loop that runs that segment, see ``ChainSegment``.
///
/// What comes down goes through a mailbox, for it may wait here when the next comes, perhaps by another thread.
@usableFromInline
final class Trampoline<Input, Failure: Error>:
    InterceptingSubscriber<Input, Failure, AnySubscriber<Input, Failure>>, @unchecked Sendable
{
    // Sound: as the base class says; `batch`, `turn` and `share` belong to the mailbox's owner.
    private enum Event {
        case subscription, value(Input, for: (any AnyObject & Sendable)?), completion(Subscribers.Completion<Failure>)
    }

    private let mailbox = Mailbox<Event>()
    @exclusivity(unchecked) private var batch: [Event] = []
    /// Whose events the owner handles, and how many of those in the batch.
    @exclusivity(unchecked) private var (turn, share) = (Mailbox<Event>.Turn.own, 0)
    /// The thread that owns the mailbox and has not begun the next turn; 0 if there is none.
    private let waitingThread = Atomic<UInt>(0)
    /// The next trampoline on the way down; the same for whoever looks for one from above; and what the end of the chain lends.
    private let below: ObjectIdentifier?
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
        // Nothing is delivered from here on.
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
        take(.value(input, for: DeliveryOrigin.isSet ? DeliveryOrigin.current : nil))
        return .none
    }

    @usableFromInline override func receive(completion: Subscribers.Completion<Failure>) {
        if inlet.finish() { take(.completion(completion)) }
    }

    private func take(_ event: Event) {
        if mailbox.post(event) {
            begin()
        } else if case .value = event, waitingThread.load(ordering: .relaxed) == currentThread() {
            // One call into the segment above has brought two values: that segment contains a source, perhaps one without end.
            ChainSegment(at: self, below: below, takeTurn).beginAhead()
        } else {
            mailbox.holdUp()
        }
    }

    /// The owner begins to handle what there is.
    private func begin() {
        waitingThread.store(currentThread(), ordering: .relaxed)
        ChainSegment(at: self, below: below, takeTurn).begin()
    }

    /// Handles one event. Returns whether there is another, to be handled when all that comes of this one has been done.
    private func takeTurn() -> Bool {
        let thread = currentThread()
        // The turn may have been taken ahead of the segment.
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
            if mailbox.leave(last) { return false }
            turn = last
        }
        waitingThread.store(thread, ordering: .relaxed)
        return true
    }

    /// The rest is what other threads have brought.
    private func handOver() {
        mailbox.bequeath { [self] in
            (turn, share) = (mailbox.inherit(), batch.count)
            begin()
        }
    }

    private func handle(_ event: Event) {
        switch event {
        case .subscription: outlet.send(subscription: self)
        case .value(let value, for: let origin?): DeliveryOrigin.with(origin) { deliver(value) }
        case .value(let value, for: nil): DeliveryOrigin.none { deliver(value) }
        case .completion(let completion): outlet.finish(completion)
        }
    }

    private func deliver(_ value: Input) {
        let more = outlet.send(value)
        if more != .none { request(more) }
    }
}
