import Streams

/// Several streams of effects side by side.
///
/// A loop subscribes to each by itself, in order, so that what they send keeps its origin whichever threads they send on.
/// For anybody else they are merged. Those of a child that leaves before its turn has come are left out.
@usableFromInline
struct EffectBundle<Effect>: GrammaticalPublisher {
    @usableFromInline typealias Output = Effect
    @usableFromInline typealias Failure = Never

    @usableFromInline let streams: [AnyPublisher<Effect, Never>]

    @usableFromInline
    init(streams: [AnyPublisher<Effect, Never>]) { self.streams = streams }

    @usableFromInline
    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        let origin = subscriber.subscriberContext as? EffectOrigin
        let turns = origin?.context.map { self.turns(in: $0, under: origin?.node) } ?? streams
        Publishers.MergeMany(turns).receive(subscriber: subscriber)
    }

    /// The streams, in which those of children know who has left before they are subscribed to. To be subscribed to at once.
    ///
    /// - Parameter node: The scope in which the streams are; the root if there is none.
    @usableFromInline
    func turns(in context: LoopContext, under node: ScopeNode?) -> [AnyPublisher<Effect, Never>] {
        var turns = streams
        // Before the first nothing has happened yet.
        for index in streams.indices.dropFirst() {
            guard let child = streams[index].childEffects else { continue }
            let scopes = context.scopes
            let node = node ?? scopes.root
            child.prepare(in: scopes, under: node, by: [])
            guard let way = child.way else { continue }
            let stay = Stay(way, in: scopes, under: node)
            turns[index] = AnyPublisher(ChildTurn(effects: streams[index]) { stay.isOver })
        }
        return turns
    }
}

extension AnyPublisher where Failure == Never {
    /// No effects.
    @usableFromInline static var nothing: AnyPublisher { AnyPublisher([Output]().publisher) }

    /// Whether there are certainly none.
    @usableFromInline var isNothing: Bool {
        if case .values(let values) = storage { values.isEmpty } else { false }
    }

    /// What lies ready, in order; nil if it takes a subscription to know.
    @usableFromInline
    var ready: [Output]? {
        switch storage {
        case .just(let value): [value]
        case .values(let values): values
        case .hidden: nil
        }
    }

    /// These effects and, beside them, others: first these are subscribed to.
    @usableFromInline
    func followed(by other: AnyPublisher) -> AnyPublisher {
        if isNothing { return other }
        if other.isNothing { return self }
        if let mine = ready, let others = other.ready { return AnyPublisher((mine + others).publisher) }
        return AnyPublisher(EffectBundle(streams: bundled + other.bundled))
    }

    /// The streams that it consists of.
    @usableFromInline
    var bundled: [AnyPublisher] { hidden(as: EffectBundle<Output>.self)?.streams ?? [self] }
}
