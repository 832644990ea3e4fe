import Streams
import Synchronization

/// Brings the effects of one event to the loop.
///
/// What the stream sends while the loop subscribes, on the loop's own thread and so from inside `subscribe`, is applied on
/// the spot: that is how it comes before anything in the mailbox. What another thread sends, at whatever moment, goes
/// through the mailbox: its place in the order is where it arrives.
@usableFromInline
final class EffectSubscriber<State: Equatable, Event, Effect, Environment>: EffectOrigin, LoopSource, ScopedStream, Subscriber,
    @unchecked Sendable
{
    // Sound: what is shared is atomic, the inlet guards itself, `place` is only touched with the loop's sources locked, the
    // trace and the node by the loop's owner.
    @usableFromInline typealias Input = Effect
    @usableFromInline typealias Failure = Never

    /// The bits of `phase`.
    @usableFromInline
    enum StateBits {
        @inlinable static var live: UInt8 { 1 }
        @inlinable static var ended: UInt8 { 2 }
        /// Another thread has sent effects while the loop was subscribing: they wait in the mailbox.
        @inlinable static var awaited: UInt8 { 4 }
    }

    @usableFromInline let loop: Loop<State, Event, Effect, Environment>
    /// What `transform` has answered with the stream.
    @usableFromInline let event: Event
    @usableFromInline let inlet = Inlet()
    @usableFromInline let phase = Atomic<UInt8>(0)
    /// The thread on which the loop is subscribing; none before and after.
    @usableFromInline let subscribingThread = Atomic<UInt>(0)
    @exclusivity(unchecked) @usableFromInline var place = -1
    /// What its event came from; nothing any more once it has ended.
    @exclusivity(unchecked) @usableFromInline var ownTrace: Trace
    /// The record of its event; and when it was taken up.
    @usableFromInline let cause: Int?
    @usableFromInline let since = ContinuousClock.now
    /// The children whose effects they are, the outermost first.
    @usableFromInline let scope: [ChildScope]
    /// Where that is among the loop's; nil if it is the root, and when nothing is left to come.
    @exclusivity(unchecked) @usableFromInline var node: ScopeNode?

    @inlinable
    init(_ loop: Loop<State, Event, Effect, Environment>, _ event: Event, _ trace: Trace, in scope: [ChildScope] = []) {
        self.loop = loop
        self.event = event
        self.scope = scope
        ownTrace = trace
        cause = trace.cause
        super.init(isTraced: trace.settlement != nil)
        if !scope.isEmpty { enterScope() }
    }

    // MARK: The child

    /// From now on it is ended if its child leaves.
    @usableFromInline
    func enterScope() {
        let scopes = loop.scopes ?? ScopeTree()
        loop.scopes = scopes
        node = scopes.add(self, in: scope)
    }

    /// No effect of it is left.
    @inlinable
    func leaveScope() {
        guard let node else { return }
        self.node = nil
        loop.scopes?.remove(self, from: node)
    }

    @usableFromInline
    func childHasLeft() {
        // By another's doing: if it was this event's own, that is how it has gone.
        if loop.trace.settlement !== ownTrace.settlement { ownTrace.asker?.fail(.interrupted(.childLeft(path))) }
        cancelled.store(true, ordering: .releasing)
        inlet.cancel()
        end()
    }

    @usableFromInline override var path: ScopePath { ScopePath(scope.map { $0.scope.element($0.id) }) }

    @usableFromInline
    override func refuse(_ error: SendError) {
        ownTrace.asker?.fail(error)
        loop.context.tellRefused(event, error)
    }

    /// What is live, for who asks from any thread.
    func info() -> LiveWork {
        LiveWork(kind: .effects, path: path, event: eventDescription, cause: cause, since: since)
    }

    @usableFromInline override var context: LoopContext? { loop.context }
    @usableFromInline override var subscriber: CombineIdentifier? { combineIdentifier }
    @usableFromInline override var trace: Trace { ownTrace }
    @usableFromInline override var eventDescription: String { String(describing: event) }
    @usableFromInline var _subscriberContext: AnyObject? { self }

    @inlinable
    func receive(subscription: any Subscription) {
        if inlet.fill(subscription) { subscription.request(.unlimited) }
    }

    @inlinable
    func receive(_ effect: Effect) -> Subscribers.Demand {
        guard !inlet.isEnded else { return .none }
        if DeliveryOrigin.isSet { receiveFromJob(effect) } else { pass(effect, from: self) }
        return .none
    }

    @inlinable @inline(__always)
    func pass(_ effect: Effect, from sender: EffectOrigin) {
        if subscribingThread.load(ordering: .relaxed) == currentThread() {
            loop.applyOnTheSpot(effect, from: sender)
        } else {
            if phase.load(ordering: .relaxed) & StateBits.live == 0 { phase.bitwiseOr(StateBits.awaited, ordering: .relaxed) }
            loop.take(.effect(effect, from: sender))
        }
    }

    /// Perhaps a job is sending, and one of this stream's.
    ///
    /// What the loop does then is not sent by that job: neither the effects of other streams nor those of tasks that are
    /// started now, which would inherit it.
    @inlinable
    func receiveFromJob(_ effect: Effect) {
        let sender = jobThatSends ?? self
        DeliveryOrigin.none { pass(effect, from: sender) }
    }

    @usableFromInline
    var jobThatSends: EffectOrigin? {
        guard let job = DeliveryOrigin.current as? EffectOrigin, job.root === self else { return nil }
        return job
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Never>) {
        if inlet.finish() { end() }
    }

    /// Tells the loop, unless it is still subscribing and looks for itself.
    @inlinable
    func end() {
        let before = phase.bitwiseOr(StateBits.ended, ordering: .acquiringAndReleasing).oldValue
        if before & (StateBits.live | StateBits.ended) == StateBits.live { loop.takeEndSpecialised(loop, self) }
    }

    /// Subscribes, on the loop's thread.
    ///
    /// - Returns: Whether the stream has ended, and whether effects of it still wait.
    @inlinable
    func subscribe(to effects: AnyPublisher<Effect, Never>) -> (isOver: Bool, isAwaited: Bool) {
        subscribingThread.store(currentThread(), ordering: .relaxed)
        effects.subscribe(self)
        subscribingThread.store(0, ordering: .relaxed)
        let before = phase.bitwiseOr(StateBits.live, ordering: .acquiringAndReleasing).oldValue
        return (before & StateBits.ended != 0, before & StateBits.awaited != 0)
    }

    @usableFromInline
    func cancel() { inlet.cancel() }
}
