import Streams

/// Several streams of effects side by side.
///
/// A loop subscribes to each by itself, in order, so that what they send keeps its origin whichever threads they send on.
/// For anybody else they are merged.
@usableFromInline
struct EffectBundle<Effect>: GrammaticalPublisher {
    @usableFromInline typealias Output = Effect
    @usableFromInline typealias Failure = Never

    @usableFromInline let streams: [AnyPublisher<Effect, Never>]

    @usableFromInline
    init(streams: [AnyPublisher<Effect, Never>]) { self.streams = streams }

    @usableFromInline
    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        Publishers.MergeMany(streams).receive(subscriber: subscriber)
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
