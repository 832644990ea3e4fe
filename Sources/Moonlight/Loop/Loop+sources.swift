import Streams
import Synchronization

// The subscriptions of a loop, which are cancelled with it.
extension Loop {
    /// Stores a subscription, so that it is cancelled with the loop.
    ///
    /// - Returns: Its number; nil if the loop has ended, and the stream must not be subscribed to.
    @inlinable
    func remember(_ subscriber: some Cancellable & AnyObject & Sendable) -> Int? { sources.withLock { $0?.add(subscriber) } }

    /// Removes a stream of effects that has ended. Only the owner calls this.
    @inlinable
    func forget(_ subscriber: EffectSubscriber) {
        liveEffects -= 1
        context.counters?.liveEffects.store(liveEffects, ordering: .relaxed)
        if let hook, let work = subscriber.work.take() { hook.ended(work) }
        subscriber.leaveScope()
        subscriber.releaseTurn()
        discard(sources.withLock { $0?.remove(subscriber.number) })
        releaseMark()
    }

    @inlinable
    func cancelSources() {
        for member in sources.withLock({ $0.take() }) ?? Numbered() { member.cancel() }
    }
}

extension Loop {
    /// The subscriber of one stream of feedback, which passes its events to the loop.
    @usableFromInline
    final class EventSubscriber: LoopPlace, Cancellable, Subscriber, @unchecked Sendable {
        // Sound: the inlet is thread-safe, the rest is immutable.
        @usableFromInline typealias Input = Event
        @usableFromInline typealias Failure = Never

        @usableFromInline let loop: Loop
        @usableFromInline let inlet = Inlet()

        @inlinable
        init(_ loop: Loop) {
            self.loop = loop
            super.init(loop.context)
        }

        @inlinable
        func receive(subscription: any Subscription) {
            if inlet.fill(subscription) { subscription.request(.unlimited) }
        }

        @inlinable
        func receive(_ event: Event) -> Subscribers.Demand {
            guard !inlet.isEnded else { return .none }
            if WorkContext.hasOrigin { receiveInTransit(event) } else { loop.take(event: event, isAnswer: false) }
            return .none
        }

        /// Passes on an event that may follow from work in flight: an event of a reaction, or an answer to a state of the loop,
        /// perhaps sent by another thread. `WorkContext.origin` is cleared meanwhile, since the same source does not send the
        /// consequences of the event.
        @usableFromInline
        func receiveInTransit(_ event: Event) {
            let transit = WorkContext.origin as? Transit
            let isAnswer = transit?.context === loop.context
            WorkContext.withoutOrigin { loop.take(event: event, isAnswer: isAnswer) }
            withExtendedLifetime(transit) {}
        }

        @inlinable
        func receive(completion: Subscribers.Completion<Never>) {
            if inlet.finish() { loop.take(.work { $0.openEventStreams -= 1 }) }
        }

        @usableFromInline var _subscriberContext: (any _SubscriberContext)? { self }

        @usableFromInline
        func cancel() { inlet.cancel() }
    }
}

extension Loop {
    /// The subscriber of one event's stream of effects, which passes them to the loop.
    ///
    /// Effects that the stream sends during `subscribe`, on the loop's own thread, are applied at once, before any item of the
    /// mailbox. All other effects, including those that another thread sends during `subscribe`, go through the mailbox, in the order
    /// of their arrival.
    @usableFromInline
    final class EffectSubscriber: EffectOrigin, Cancellable, Subscriber, @unchecked Sendable {
        // Sound: `phase` and `subscribingThread` are atomic, the inlet is thread-safe, `work` and `node` are only used by the loop's
        // owner. It alone writes `ownTurn`, once the stream is subscribed to with `turnLock` held; others read it with that lock.
        @usableFromInline typealias Input = Effect
        @usableFromInline typealias Failure = Never

        /// The flags of `phase`.
        @usableFromInline
        enum StateBits {
            @inlinable static var live: UInt8 { 1 }
            @inlinable static var ended: UInt8 { 2 }
            /// Another thread has sent effects while the loop was subscribing; they are in the mailbox.
            @inlinable static var awaited: UInt8 { 4 }
        }

        @usableFromInline let loop: Loop
        /// The event for which `transform` returned the stream.
        @usableFromInline let event: Event
        @usableFromInline let inlet = Inlet()
        @usableFromInline let phase = Atomic<UInt8>(0)
        /// The thread on which the loop is subscribing; 0 before and after.
        @usableFromInline let subscribingThread = Atomic<UInt>(0)
        /// The turn of the event; empty once the stream has ended.
        @exclusivity(unchecked) @usableFromInline var ownTurn: Turn
        private let turnLock = Lock(())
        /// The number with which the hook is notified of the end of the stream, if it requested that.
        @exclusivity(unchecked) @usableFromInline var work: UInt64?
        /// The time at which this subscriber was created, while its event was being handled.
        let since = ContinuousClock.now
        /// The children that the effects belong to, the outermost first.
        @usableFromInline let scope: [ChildScope]
        /// Its place among the streams of the innermost child; nil for the root, and once no more effects can arrive.
        @exclusivity(unchecked) @usableFromInline var place: StreamPlace?

        @inlinable
        init(_ loop: Loop, _ event: Event, _ turn: Turn, in scope: [ChildScope] = []) {
            self.loop = loop
            self.event = event
            self.scope = scope
            ownTurn = turn
            super.init(loop.context, cause: turn.cause)
            if !scope.isEmpty { enterScope() }
        }

        // MARK: The child

        /// Ties the stream to its child, whose removal ends it.
        @usableFromInline
        func enterScope() {
            let scopes = loop.scopes ?? ScopeTree()
            loop.scopes = scopes
            place = scopes.add(self, in: scope)
        }

        /// Unties the stream from its child, once no more of its effects can arrive.
        @inlinable
        func leaveScope() {
            guard let place = place.take() else { return }
            loop.scopes?.remove(place)
        }

        override func childWasRemoved() {
            // The event is interrupted only if another event removed the child, not if it removed the child itself. An event that
            // feedback sent in answer is another one, which has no askers.
            if !loop.turn.askers.elementsEqual(ownTurn.askers, by: ===) {
                ownTurn.askers.fail(.interrupted(.childRemoved(path)))
            }
            cancelled.store(true, ordering: .releasing)
            inlet.cancel()
            end()
        }

        override var path: ScopePath { ScopePath(scope.map { $0.scope.element($0.id) }) }

        override func refuse(_ error: SendError) {
            turnOfJob.askers.fail(error)
            loop.context.noteRefused(event, error)
        }

        /// Returns the description of this stream for `Store.inFlight`. Safe from any thread.
        func liveWork() -> LiveWork {
            LiveWork(kind: .effects, path: path, event: eventDescription, cause: cause, since: since)
        }

        override var turn: Turn { ownTurn }
        override var turnOfJob: Turn { turnLock.withLock { _ in ownTurn } }

        /// Releases the turn: the stream has ended. Jobs of it may still begin, on other threads.
        @usableFromInline
        func releaseTurn() {
            let before = turnLock.withLock { _ in
                defer { ownTurn = Turn() }
                return ownTurn
            }
            discard(before)
        }
        override var eventDescription: String { String(describing: event) }
        @usableFromInline var _subscriberContext: (any _SubscriberContext)? { self }

        @inlinable
        func receive(subscription: any Subscription) {
            if inlet.fill(subscription) { subscription.request(.unlimited) }
        }

        @inlinable
        func receive(_ effect: Effect) -> Subscribers.Demand {
            guard !inlet.isEnded else { return .none }
            if WorkContext.hasOrigin { receiveFromJob(effect) } else { pass(effect, from: self) }
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

        /// Passes an effect on, with the job of this stream that sends it, if any, as its origin.
        ///
        /// `WorkContext.origin` is cleared meanwhile, since that job does not send the effects of other streams that the loop runs next.
        @inlinable
        func receiveFromJob(_ effect: Effect) {
            let sender = jobThatSends ?? self
            WorkContext.withoutOrigin { pass(effect, from: sender) }
        }

        /// The job inside this stream that is sending on this thread, if any.
        @usableFromInline
        var jobThatSends: EffectOrigin? {
            guard let job = WorkContext.origin as? EffectOrigin, job.root === self else { return nil }
            return job
        }

        override func letLeave(_ job: EffectOrigin) {
            // Effects that a job has sent during `subscribe` have been applied, unless another thread has sent some of them.
            let isOnTheSpot =
                subscribingThread.load(ordering: .relaxed) == currentThread()
                && phase.load(ordering: .relaxed) & StateBits.awaited == 0
            if isOnTheSpot || isCancelled || loop.context.isOver {
                job.leaveRegister()
            } else {
                loop.specialized(loop, .jobEnded(job))
            }
        }

        override var isAtHome: Bool { loop.isHome || loop.isHandledHere }

        override func enqueue(_ work: @escaping () -> Void) {
            let work = { (loop: Loop) in
                // What a job calls and sends when it starts has the same cause whether or not the job has waited.
                loop.begin(Turn(cause: self.cause))
                work()
                loop.endTurn()
            }
            loop.specialized(loop, .work(work))
        }

        @inlinable
        func receive(completion: Subscribers.Completion<Never>) {
            if inlet.finish() { end() }
        }

        /// Reports the end of the stream to the loop. While the loop is still subscribing, ``subscribe(to:)`` does that.
        @inlinable
        func end() {
            let before = phase.bitwiseOr(StateBits.ended, ordering: .acquiringAndReleasing).oldValue
            if before & (StateBits.live | StateBits.ended) == StateBits.live { loop.specialized(loop, .effectsEnded(self)) }
        }

        /// Subscribes to the stream, on the loop's thread.
        @inlinable
        func subscribe(to effects: AnyPublisher<Effect, Never>) {
            subscribingThread.store(currentThread(), ordering: .relaxed)
            if ownTurn.context == nil { effects.subscribe(self) } else { bindLocals { effects.subscribe(self) } }
            subscribingThread.store(0, ordering: .relaxed)
            let before = phase.bitwiseOr(StateBits.live, ordering: .acquiringAndReleasing).oldValue
            guard before & StateBits.ended != 0 else { return }
            // Effects that another thread has sent meanwhile are in the mailbox; the end of the stream comes after them.
            if before & StateBits.awaited != 0 { loop.post(.effectsEnded(self)) } else { loop.forget(self) }
        }

        /// Calls a closure with the task-locals of the event bound, which hold for the stream from now on.
        @usableFromInline
        func bindLocals(_ subscribe: () -> Void) {
            locals = ownTurn.context.map { StreamLocals($0) }
            _bind(subscribe)
        }

        @usableFromInline
        func cancel() { inlet.cancel() }
    }
}
