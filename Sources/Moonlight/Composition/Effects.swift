import Streams

/// What a reducer answers an event with: streams of effects, each with the child it belongs to.
///
/// A `transform` returns an `AnyPublisher`, and need not know of this type. A ``Reducer/middleware(_:)`` does: it gets what the reducer
/// inside has answered, and may change each effect with ``map(_:)``, each stream with ``mapStreams(_:)``, or put others before and
/// after with ``combined(with:)``. The effects of a child stay its own: if it leaves, they are dropped.
public struct Effects<Effect> {
    /// A stream of effects, and the children in whose scope it is, the outermost first.
    @usableFromInline
    struct Stream {
        @usableFromInline let effects: AnyPublisher<Effect, Never>
        @usableFromInline let scope: [ChildScope]

        @inlinable
        init(_ effects: AnyPublisher<Effect, Never>, scope: [ChildScope] = []) { (self.effects, self.scope) = (effects, scope) }

        /// Whether it is a single effect that lies ready.
        var isSingle: Bool { if case .just = effects.storage { true } else { false } }
    }

    @usableFromInline
    enum Storage {
        /// What nearly all events lead to: one stream, of no child that might leave.
        case one(AnyPublisher<Effect, Never>)
        case several([Stream])
    }

    @usableFromInline let storage: Storage

    @inlinable
    init(_ streams: [Stream]) { storage = .several(streams) }

    /// One stream of effects.
    @inlinable
    public init(_ effects: some Publisher<Effect, Never>) { self.init(AnyPublisher(effects)) }

    /// One stream of effects.
    @inlinable
    public init(_ effects: AnyPublisher<Effect, Never>) { storage = .one(effects) }

    /// No effects.
    @inlinable public static var none: Effects { Effects(AnyPublisher.none) }

    /// A single effect, which lies ready.
    @inlinable
    public static func just(_ effect: Effect) -> Effects { Effects(AnyPublisher.just(effect)) }

    @inlinable var isNone: Bool { if case .one(let effects) = storage { effects.isEmpty } else { false } }

    /// All streams, in order.
    @usableFromInline
    var streams: [Stream] {
        switch storage {
        case .one(let effects): [Stream(effects)]
        case .several(let streams): streams
        }
    }

    /// These effects and, beside them, others: first these are subscribed to.
    @inlinable
    public func combined(with other: Effects) -> Effects {
        if isNone { return other }
        if other.isNone { return self }
        return Effects(streams + other.streams)
    }

    /// Changes each effect.
    ///
    /// - Parameter transform: Makes an effect of one; called when it is sent, or at once for one that lies ready.
    @inlinable
    public func map<NewEffect>(_ transform: @escaping @Sendable (Effect) -> NewEffect) -> Effects<NewEffect> {
        switch storage {
        case .one(let effects): Effects<NewEffect>(effects.mapped(transform))
        case .several(let streams):
            Effects<NewEffect>(streams.map { .init($0.effects.mapped(transform), scope: $0.scope) })
        }
    }

    /// Changes each stream by itself: operators go here.
    ///
    /// ```swift
    /// try next(state, event, environment).mapStreams { $0.handleEvents(receiveOutput: log).eraseToAnyPublisher() }
    /// ```
    /// What comes of a child's stream is the child's, too. If it leaves, the stream that this makes is cancelled.
    ///
    /// - Parameter transform: Called once for each stream, before any of them is subscribed to.
    public func mapStreams<NewEffect>(
        _ transform: (AnyPublisher<Effect, Never>) -> AnyPublisher<NewEffect, Never>
    ) -> Effects<NewEffect> {
        if isNone { return .none }
        return Effects<NewEffect>(streams.map { .init(transform($0.effects), scope: $0.scope) })
    }

    /// All of them as one stream, of which nobody knows any more which child each effect is of.
    public var publisher: AnyPublisher<Effect, Never> {
        switch storage {
        case .one(let effects): effects
        case .several(let streams): AnyPublisher(Publishers.MergeMany(streams.map(\.effects)))
        }
    }
}

extension Effects {
    /// Effects of a child as effects of its parent.
    ///
    /// - Parameters:
    ///   - child: Which child's.
    ///   - mayLeave: Whether the child may leave while the effects are applied.
    ///   - isFirst: Whether they are the first that are applied for their event. Then nobody has left before the first of them is.
    ///   - embed: Makes the parent's effect of the child's.
    @inlinable @inline(__always)
    func scoped<Whole>(
        _ child: @autoclosure () -> ChildScope, mayLeave: Bool, isFirst: Bool,
        _ embed: @autoclosure () -> @Sendable (Effect) -> Whole
    ) -> Effects<Whole> {
        // What most events lead to: one effect that lies ready and is applied at once.
        if isFirst || !mayLeave, case .one(let effects) = storage, case .just(let effect) = effects.storage {
            return .just(embed()(effect))
        }
        return scopedStreams(child(), mayLeave: mayLeave, embed())
    }

    @inlinable
    func scopedStreams<Whole>(
        _ child: ChildScope, mayLeave: Bool, _ embed: @escaping @Sendable (Effect) -> Whole
    ) -> Effects<Whole> {
        if isNone { return .none }
        return Effects<Whole>(
            streams.map { stream in
                // What lies ready is applied where nobody asks whose it is, unless its child may have left by then.
                let isPlain = !mayLeave && stream.scope.isEmpty && stream.effects.isReady
                return .init(stream.effects.mapped(embed), scope: isPlain ? [] : [child] + stream.scope)
            })
    }
}

extension AnyPublisher where Failure == Never {
    /// No effects: what `transform` returns for an event that changes nothing.
    @inlinable public static var none: AnyPublisher { AnyPublisher([Output]().publisher) }

    /// A single effect, which lies ready: the same as `Just(effect).eraseToAnyPublisher()`.
    @inlinable
    public static func just(_ effect: Output) -> AnyPublisher { AnyPublisher(Just(effect)) }

    /// Whether there are certainly no values.
    @inlinable var isEmpty: Bool { if case .values(let values) = storage { values.isEmpty } else { false } }

    /// Whether its values lie ready.
    @inlinable var isReady: Bool { if case .hidden = storage { false } else { true } }

    /// The same with each value changed; what lies ready still does.
    @inlinable
    func mapped<NewOutput>(_ transform: @escaping @Sendable (Output) -> NewOutput) -> AnyPublisher<NewOutput, Never> {
        switch storage {
        case .just(let value): .just(transform(value))
        case .values(let values): AnyPublisher<NewOutput, Never>(values.map(transform).publisher)
        case .hidden: AnyPublisher<NewOutput, Never>(map(transform))
        }
    }
}
