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
        run.join(as: run)
        upstream.subscribe(run)
    }
}

/// One run of a child's effects: stands between its stream and the parent's.
private final class ScopedRun<Input, Downstream: Subscriber>: EffectRun<Downstream>, ScopedStream, Subscriber, Subscription,
    CustomStringConvertible, @unchecked Sendable
where Downstream.Failure == Never {
    // Sound: the node is written before anything is sent; the rest guards itself or is immutable.
    typealias Failure = Never

    private let child: ScopedChild
    private let embed: @Sendable (Input) -> Downstream.Input
    private let inlet = Inlet()
    private let early = Lock<Subscribers.Demand?>(Subscribers.Demand.none)
    private let loopContext: LoopContext
    private var ownNode: ScopeNode?

    init(
        _ effects: ScopedEffects<Input, Downstream.Input>, _ downstream: Downstream, parent: EffectOrigin,
        context: LoopContext
    ) {
        (child, embed) = (effects.child, effects.embed)
        loopContext = context
        super.init(downstream, parent: parent)
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
        _ = end { inlet.cancel() }
    }

    // MARK: From upstream

    func receive(subscription: any Subscription) {
        guard inlet.fill(subscription) else { return }
        let demand = early.withLock { early in early.take() }
        if let demand { inlet.request(demand) }
    }

    func receive(_ effect: Input) -> Subscribers.Demand { send { embed(effect) } }

    func receive(completion: Subscribers.Completion<Never>) {
        if inlet.finish() { _ = end() }
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
        // Not `cancelled`: an operator below has all that it wants, and passes on what it has.
        _ = end(silently: true) { inlet.cancel() }
    }
}
