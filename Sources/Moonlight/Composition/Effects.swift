import Streams

/// The effects that a reducer returns for an event: streams, each tied to its child.
///
/// A `transform` returns an `AnyPublisher` and does not need this type. A ``Reducer/middleware(_:)`` uses it: it receives the
/// effects of the reducer that it wraps, and may change each effect with ``map(_:)``, change each stream with ``mapStreams(_:)``,
/// or put other effects before and after them with ``combined(with:)``. The effects remain tied to their child: if the child is
/// removed, they are dropped.
public struct Effects<Effect> {
    /// A stream of effects, and the children in whose scope it is, outermost first.
    @usableFromInline typealias Stream = (effects: AnyPublisher<Effect, Never>, scope: [ChildScope])

    @usableFromInline
    enum Storage {
        /// The common case: one stream, which is not tied to a child.
        case one(AnyPublisher<Effect, Never>)
        /// Any number of streams, which may be tied to children.
        case several([Stream])
    }

    @usableFromInline let storage: Storage

    @inlinable
    init(_ streams: [Stream]) { storage = .several(streams) }

    /// Creates effects from one stream.
    ///
    /// - Parameter effects: The stream.
    @inlinable
    public init(_ effects: some Publisher<Effect, Never>) { self.init(AnyPublisher(effects)) }

    /// Creates effects from one type-erased stream.
    ///
    /// - Parameter effects: The stream.
    @inlinable
    public init(_ effects: AnyPublisher<Effect, Never>) { storage = .one(effects) }

    /// No effects.
    @inlinable public static var none: Effects { Effects(AnyPublisher.none) }

    /// Returns a single ready effect.
    ///
    /// - Parameter effect: The effect.
    @inlinable
    public static func just(_ effect: Effect) -> Effects { Effects(AnyPublisher.just(effect)) }

    @inlinable var isNone: Bool { if case .one(let effects) = storage { effects.isEmpty } else { false } }

    /// Indicates that no stream needs a subscription.
    @inlinable package var isReady: Bool {
        if case .one(let effects) = storage { effects.isReady } else { streams.allSatisfy { $0.effects.isReady } }
    }

    /// All streams, in order.
    @inlinable
    var streams: [Stream] {
        switch storage {
        case .one(let effects): [(effects, [])]
        case .several(let streams): streams
        }
    }

    /// Returns these effects together with others. The streams of these effects are subscribed to first.
    ///
    /// - Parameter other: The effects to add.
    @inlinable
    public func combined(with other: Effects) -> Effects {
        if isNone { return other }
        if other.isNone { return self }
        return Effects(streams + other.streams)
    }

    /// Returns these effects with each effect transformed.
    ///
    /// - Parameter transform: Transforms an effect; called when the effect is sent, or at once for a ready effect.
    @inlinable
    public func map<NewEffect>(_ transform: @escaping @Sendable (Effect) -> NewEffect) -> Effects<NewEffect> {
        mapStreams { $0.mapped(transform) }
    }

    /// Returns these effects with each stream transformed separately, for example by operators.
    ///
    /// ```swift
    /// try next(state, event, environment).mapStreams { $0.handleEvents(receiveOutput: log).eraseToAnyPublisher() }
    /// ```
    /// The new stream is tied to the same child as the old one: if the child is removed, the new stream is cancelled.
    ///
    /// - Parameter transform: Transforms a stream; called once for each stream, before any of them is subscribed to.
    @inlinable
    public func mapStreams<NewEffect>(
        _ transform: (AnyPublisher<Effect, Never>) -> AnyPublisher<NewEffect, Never>
    ) -> Effects<NewEffect> {
        switch storage {
        case .one(let effects): effects.isEmpty ? .none : Effects<NewEffect>(transform(effects))
        case .several(let streams): Effects<NewEffect>(streams.map { (transform($0.effects), $0.scope) })
        }
    }

    /// All effects merged into one stream, which is no longer tied to any child.
    public var publisher: AnyPublisher<Effect, Never> {
        if case .one(let effects) = storage { return effects }
        // If one may remove the child of a later one, they are not ready together.
        let ready = streams.enumerated().compactMap { place, stream in
            stream.scope.isEmpty || place == 0 && stream.effects.isSingle ? stream.effects.readyValues : nil
        }
        if ready.count < streams.count { return AnyPublisher(storing: .hiding(Publishers.MergeMany(streams.map(\.effects)))) }
        return AnyPublisher(storing: .values(ready.flatMap(\.self)))
    }
}

extension Effects {
    /// Returns the effects of a child as effects of its parent.
    ///
    /// - Parameters:
    ///   - child: The child.
    ///   - mayLeave: Whether the child may be removed while the effects are applied.
    ///   - isFirst: Whether these are the first effects that are applied for their event. If so, no child can be removed before
    ///     the first of them is applied.
    ///   - embed: Turns an effect of the child into one of the parent.
    @inlinable @inline(__always)
    func scoped<Whole>(
        _ child: @autoclosure () -> ChildScope, mayLeave: Bool, isFirst: Bool,
        _ embed: @autoclosure () -> @Sendable (Effect) -> Whole
    ) -> Effects<Whole> {
        // The common case: a single ready effect, which is applied at once.
        if isFirst || !mayLeave, case .one(let effects) = storage, case .just(let effect) = effects.storage {
            return .just(embed()(effect))
        }
        if isNone { return .none }
        let (child, embed) = (child(), embed())
        return Effects<Whole>(
            streams.map { stream in
                // Ready effects are applied at once and need no scope, unless their child may have been removed by then.
                let isPlain = !mayLeave && stream.scope.isEmpty && stream.effects.isReady
                return (stream.effects.mapped(embed), isPlain ? [] : [child] + stream.scope)
            })
    }
}

extension AnyPublisher where Failure == Never {
    /// No effects, for an event that changes nothing.
    @inlinable public static var none: AnyPublisher { AnyPublisher(storing: .values([])) }

    /// Returns a single ready effect: the same as `Just(effect).eraseToAnyPublisher()`.
    ///
    /// - Parameter effect: The effect.
    @inlinable
    public static func just(_ effect: Output) -> AnyPublisher { AnyPublisher(storing: .just(effect)) }

    /// Indicates that the publisher is known to have no values.
    @inlinable var isEmpty: Bool { if case .values(let values) = storage { values.isEmpty } else { false } }

    /// Indicates that the publisher is a single ready value.
    @inlinable var isSingle: Bool { if case .just = storage { true } else { false } }

    /// Indicates that the values can be read without a subscription.
    @inlinable package var isReady: Bool { if case .hidden = storage { false } else { true } }

    /// The values, if they can be read without a subscription.
    @inlinable var readyValues: [Output]? {
        switch storage {
        case .just(let value): [value]
        case .values(let values): values
        case .hidden: nil
        }
    }

    /// Returns this publisher with each value transformed. Ready values remain ready.
    @inlinable
    func mapped<NewOutput>(_ transform: @escaping @Sendable (Output) -> NewOutput) -> AnyPublisher<NewOutput, Never> {
        switch storage {
        case .just(let value): .just(transform(value))
        case .values(let values): AnyPublisher<NewOutput, Never>(values.map(transform).publisher)
        case .hidden: AnyPublisher<NewOutput, Never>(map(transform))
        }
    }
}
