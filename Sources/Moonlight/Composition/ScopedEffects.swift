import Streams
import Synchronization

extension AnyPublisher where Failure == Never {
    /// Effects of a child as effects of its parent.
    ///
    /// - Parameters:
    ///   - child: Which child's.
    ///   - mayLeave: Whether the child may leave while the effects are applied.
    ///   - isFirst: Whether they are the first that are applied for their event.
    ///   - embed: Makes the parent's effect of the child's.
    @inlinable @inline(__always)
    func scoped<Whole>(
        _ child: @autoclosure () -> ScopedChild, mayLeave: Bool, isFirst: Bool,
        _ embed: @autoclosure () -> @Sendable (Output) -> Whole
    ) -> AnyPublisher<Whole, Never> {
        if case .just(let effect) = storage, isFirst || !mayLeave { return AnyPublisher<Whole, Never>(Just(embed()(effect))) }
        return scopedAsStream(child(), mayLeave: mayLeave, isFirst: isFirst, embed())
    }

    @inlinable
    func scopedAsStream<Whole>(
        _ child: ScopedChild, mayLeave: Bool, isFirst: Bool, _ embed: @escaping @Sendable (Output) -> Whole
    ) -> AnyPublisher<Whole, Never> {
        if let ready, ready.isEmpty || !mayLeave || isFirst && ready.count == 1 {
            return AnyPublisher<Whole, Never>(ready.map(embed).publisher)
        }
        if let answer = asReadyAnswer(of: child, embed) { return answer }
        return AnyPublisher<Whole, Never>.bundle(
            bundled.map { AnyPublisher<Whole, Never>(ScopedEffects(upstream: $0, child: child, embed: embed)) })
    }

    /// A child's single effect that lies ready, as its parent's; nil if it is none.
    @inlinable
    func asReadyAnswer<Whole>(of child: ScopedChild, _ embed: (Output) -> Whole) -> AnyPublisher<Whole, Never>? {
        switch storage {
        case .just(let effect):
            return AnyPublisher<Whole, Never>(ReadyAnswer(effect: embed(effect), turn: AnswerTurn(of: child, inner: [])))
        case .values: return nil
        case .hidden:
            guard let inner = hidden(as: ReadyAnswer<Output>.self) else { return nil }
            let turn = AnswerTurn(of: child, inner: inner.turn.children)
            return AnyPublisher<Whole, Never>(ReadyAnswer(effect: embed(inner.effect), turn: turn))
        }
    }

    @usableFromInline
    static func bundle(_ streams: [AnyPublisher]) -> AnyPublisher {
        streams.count == 1 ? streams[0] : AnyPublisher(EffectBundle(streams: streams))
    }
}

/// Effects of a child as effects of its parent, which end when the child leaves.
@usableFromInline
struct ScopedEffects<Input, Output>: GrammaticalPublisher, ChildEffects {
    @usableFromInline typealias Failure = Never

    let upstream: AnyPublisher<Input, Never>
    let child: ScopedChild
    let embed: @Sendable (Input) -> Output

    @usableFromInline
    init(upstream: AnyPublisher<Input, Never>, child: ScopedChild, embed: @escaping @Sendable (Input) -> Output) {
        (self.upstream, self.child, self.embed) = (upstream, child, embed)
    }

    var way: [ScopeStep]? { child.way + (upstream.way ?? []) }

    func prepare(in scopes: ScopeTree, under node: ScopeNode, by way: [ScopeStep]) {
        upstream.childEffects?.prepare(in: scopes, under: node, by: way + child.way)
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

    private let child: ScopedChild
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
        (child, embed) = (effects.child, effects.embed)
        self.downstream = downstream
        loopContext = context
        super.init(parent: parent)
        ownNode = context.scopes.add(self, by: child.way, under: parent.node)
    }

    // Effects that wait in the mailbox hold it: until they are applied, the child may still leave.
    deinit { if let ownNode { loopContext.scopes.remove(ObjectIdentifier(self), from: ownNode) } }

    override var context: LoopContext? { loopContext }
    override var node: ScopeNode { ownNode ?? loopContext.scopes.root }
    override var path: ScopePath { super.path.appending(ScopePath([child.scope.element(child.id)])) }
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
