import Streams
import Synchronization

extension AnyPublisher where Failure == Never {
    /// The only effect, if there is one that lies ready.
    @inlinable @inline(__always)
    var readyEffect: Output? { if case .just(let effect) = storage { effect } else { nil } }

    /// Effects of a child as effects of its parent.
    ///
    /// - Parameters:
    ///   - scope: Which child's.
    ///   - id: Its id, if it has one.
    ///   - mayLeave: Whether the child may leave while the effects are applied.
    ///   - embed: Makes the parent's effect of the child's.
    @inlinable
    func scoped<Whole>(
        _ scope: Scope, _ id: @autoclosure () -> JobID?, mayLeave: Bool, _ embed: @escaping @Sendable (Output) -> Whole
    ) -> AnyPublisher<Whole, Never> {
        switch storage {
        case .just(let effect):
            return AnyPublisher<Whole, Never>(Just(embed(effect)))
        case .values(let effects) where effects.count < 2 || !mayLeave:
            return AnyPublisher<Whole, Never>(effects.map(embed).publisher)
        case .values, .hidden:
            let id = id()
            return AnyPublisher<Whole, Never>.bundle(
                bundled.map {
                    AnyPublisher<Whole, Never>(ScopedEffects(upstream: $0, scope: scope, id: id, embed: embed))
                })
        }
    }

    @usableFromInline
    static func bundle(_ streams: [AnyPublisher]) -> AnyPublisher {
        streams.count == 1 ? streams[0] : AnyPublisher(EffectBundle(streams: streams))
    }
}

/// Effects of a child as effects of its parent, which end when the child leaves.
@usableFromInline
struct ScopedEffects<Input, Output>: GrammaticalPublisher {
    @usableFromInline typealias Failure = Never

    let upstream: AnyPublisher<Input, Never>
    let scope: Scope
    let id: JobID?
    let embed: @Sendable (Input) -> Output

    @usableFromInline
    init(upstream: AnyPublisher<Input, Never>, scope: Scope, id: JobID?, embed: @escaping @Sendable (Input) -> Output) {
        (self.upstream, self.scope, self.id, self.embed) = (upstream, scope, id, embed)
    }

    @usableFromInline
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        guard let parent = subscriber.subscriberContext as? EffectOrigin, let context = parent.context else {
            return upstream.map(embed).receive(subscriber: subscriber)
        }
        let run = ScopedRun(self, subscriber, parent: parent, context: context)
        subscriber.receive(subscription: run)
        upstream.subscribe(run)
    }
}

/// One run of a child's effects: stands between its stream and the parent's.
private final class ScopedRun<Input, Downstream: Subscriber>: EffectOrigin, ScopedStream, Subscriber, Subscription,
    CustomStringConvertible, @unchecked Sendable
where Downstream.Failure == Never {
    // Sound: `state` lets one at a time touch the downstream; the node is written before anything is sent; the rest guards
    // itself or is immutable.
    typealias Failure = Never

    private enum Bits {
        static var delivering: UInt8 { 1 }
        static var over: UInt8 { 2 }
        /// Over because the downstream wants no more: it is not told.
        static var silent: UInt8 { 4 }
    }

    private let scope: Scope
    private let id: JobID?
    private let embed: @Sendable (Input) -> Downstream.Input
    private let inlet = Inlet()
    private let state = Atomic<UInt8>(0)
    private let early = Lock<Subscribers.Demand?>(Subscribers.Demand.none)
    private var downstream: Downstream?
    private let loopContext: LoopContext
    private var ownNode: ScopeNode?

    init(
        _ effects: ScopedEffects<Input, Downstream.Input>, _ downstream: Downstream, parent: EffectOrigin,
        context: LoopContext
    ) {
        (scope, id, embed) = (effects.scope, effects.id, effects.embed)
        self.downstream = downstream
        loopContext = context
        super.init(parent: parent)
        ownNode = context.scopes.add(self, to: [scope.key] + (id.map { [scope.key($0)] } ?? []), under: parent.node)
    }

    // Effects that wait in the mailbox hold it: until they are applied, the child may still leave.
    deinit { if let ownNode { loopContext.scopes.remove(ObjectIdentifier(self), from: ownNode) } }

    override var context: LoopContext? { loopContext }
    override var node: ScopeNode { ownNode ?? loopContext.scopes.root }
    override var path: ScopePath { super.path.appending(ScopePath([scope.element(id)])) }
    var subscriberContext: AnyObject? { self }
    var description: String { "Scoped" }
    var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

    func childHasLeft() {
        cancelled.store(true, ordering: .releasing)
        let before = state.bitwiseOr(Bits.over, ordering: .acquiringAndReleasing).oldValue
        guard before & Bits.over == 0 else { return }
        inlet.cancel()
        // Who is delivering just now completes when it is back.
        if before & Bits.delivering == 0 { complete() }
    }

    private func complete() {
        let last = downstream.take()
        last?.receive(completion: .finished)
    }

    // MARK: From upstream

    func receive(subscription: any Subscription) {
        guard inlet.fill(subscription) else { return }
        let demand = early.withLock { early in early.take() }
        if let demand { inlet.request(demand) }
    }

    func receive(_ effect: Input) -> Subscribers.Demand {
        guard state.bitwiseOr(Bits.delivering, ordering: .acquiringAndReleasing).oldValue & Bits.over == 0 else {
            return .none
        }
        let inner = DeliveryOrigin.current as? EffectOrigin
        let demand =
            if inner?.isInside(self) == true { downstream?.receive(embed(effect)) } else {
                DeliveryOrigin.with(self) { downstream?.receive(embed(effect)) }
            }
        let before = state.bitwiseAnd(~Bits.delivering, ordering: .acquiringAndReleasing).oldValue
        if before & Bits.silent != 0 { downstream = nil } else if before & Bits.over != 0 { complete() }
        return demand ?? .none
    }

    func receive(completion: Subscribers.Completion<Never>) {
        guard inlet.finish() else { return }
        guard state.bitwiseOr(Bits.over, ordering: .acquiringAndReleasing).oldValue & Bits.over == 0 else { return }
        complete()
    }

    // MARK: From downstream

    func request(_ demand: Subscribers.Demand) {
        let isThere = early.withLock { early in
            early? += demand
            return early == nil
        }
        if isThere { inlet.request(demand) }
    }

    func cancel() {
        let before = state.bitwiseOr(Bits.over | Bits.silent, ordering: .acquiringAndReleasing).oldValue
        guard before & Bits.over == 0 else { return }
        // Not `cancelled`: an operator below has all that it wants, and passes on what it has.
        inlet.cancel()
        if before & Bits.delivering == 0 { downstream = nil }
    }
}
