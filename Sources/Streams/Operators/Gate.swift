extension Publishers {
    /// A publisher that passes on the values of its upstream, depending on what another publisher has sent.
    public struct Gated<Upstream: Publisher, Other: Publisher, Output>: Operator {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let other: Other
        @usableFromInline let name: StaticString
        @usableFromInline let kind: GateKind
        /// Makes an output of a value and the latest value of `other`; nil drops the value.
        @usableFromInline let make: @Sendable (Upstream.Output, Other.Output?) -> Output?

        @inlinable @inline(__always)
        package __consuming func attach<S: Subscriber<Output, Failure>>(_ subscriber: __owned S) {
            typealias Logic = GateLogic<Upstream.Output, Other.Output, S>
            let gate = FanIn(Logic(kind, make: make), subscriber, named: name, passesNothing: true)
            // A gate that closes gives its downstream a subscription only when `upstream` has sent its own.
            let waits = kind == .closes
            let demand = kind == .accompanies ? Subscribers.Demand.unlimited : .max(1)
            // The source that is added last is cancelled first: it must be the one whose values are passed on.
            let keys = FanInSource<Other.Output, Other.Failure, Logic>(gate, asking: demand, isStrict: true) { .b($0) }
            let values = FanInSource<Upstream.Output, Upstream.Failure, Logic>(gate, isStrict: true, starts: waits) { .a($0) }
            guard gate.sources.admit(keys), gate.sources.admit(values) else { return }
            if !waits { gate.start() }
            // The downstream may cancel when it receives its subscription, and again when the keys are subscribed to.
            if !gate.isClosed { other.subscribe(keys) }
            if !gate.isClosed { upstream.subscribe(values) }
        }
    }

    /// A publisher that sends its upstream's values until another publisher sends one.
    public typealias PrefixUntilOutput<Upstream: Publisher, Other: Publisher> = Gated<Upstream, Other, Upstream.Output>

    /// A publisher that drops its upstream's values until another publisher sends one.
    public typealias DropUntilOutput<Upstream: Publisher, Other: Publisher> = Gated<Upstream, Other, Upstream.Output>
    where Upstream.Failure == Other.Failure

    /// A publisher that combines each value with the latest value of another publisher.
    public typealias WithLatestFrom<Upstream: Publisher, Other: Publisher, Output> = Gated<Upstream, Other, Output>
    where Upstream.Failure == Other.Failure
}

extension Publishers.Gated: Sendable where Upstream: Sendable, Other: Sendable {}

extension Publisher {
    /// Sends values until another publisher sends its first value, then finishes. The completion of the other is ignored.
    public func prefix<P>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
        .init(upstream: self, other: publisher, name: "PrefixUntilOutput", kind: .closes) { value, _ in value }
    }

    /// Drops values until another publisher sends its first value. If the other completes without a value, this publisher
    /// completes in the same way.
    public func drop<P>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P> {
        .init(upstream: self, other: publisher, name: "DropUntilOutput", kind: .opens) { value, key in key == nil ? nil : value }
    }

    /// Sends, for each value, the latest value of another publisher. Values are dropped until the other has sent its first.
    /// Finishes when this publisher finishes; fails when either fails.
    ///
    /// `saveTaps.withLatestFrom(text)` sends the text to save at each tap.
    public func withLatestFrom<P>(_ other: P) -> Publishers.WithLatestFrom<Self, P, P.Output> {
        withLatestFrom(other) { $1 }
    }

    /// Like ``withLatestFrom(_:)``, but sends the result of applying a closure to the two values.
    @preconcurrency public func withLatestFrom<P, T>(
        _ other: P, resultSelector: @escaping @Sendable (Output, P.Output) -> T
    ) -> Publishers.WithLatestFrom<Self, P, T> {
        .init(upstream: self, other: other, name: "WithLatestFrom", kind: .accompanies) { value, key in
            key.map { resultSelector(value, $0) }
        }
    }
}

/// The effect of the other upstream's values, the keys. `closes`: the first key finishes the gate. `opens`: the first key lets values
/// through; if the other upstream ends before that, so does the gate. `accompanies`: each key is combined with the values after it.
@usableFromInline enum GateKind: Sendable {
    case closes
    case opens
    case accompanies
}

/// The logic that `prefix(untilOutputFrom:)`, `drop(untilOutputFrom:)` and `withLatestFrom` share: it passes on the values of one
/// upstream, depending on the values of another.
///
/// A dropped value uses up demand of its upstream, but none of the downstream's. So another one is requested: at once, except by
/// `drop(untilOutputFrom:)`, which, as in Combine, requests more only when values may pass and the upstream has no demand left.
@usableFromInline struct GateLogic<Value, Key, Downstream: Subscriber>: FanInLogic {
    @usableFromInline typealias Input = OneOf<Value, Key, Never, Never>

    @usableFromInline let kind: GateKind
    /// Makes an output of a value and the latest key; nil drops the value.
    @usableFromInline let make: (Value, Key?) -> Downstream.Input?
    @usableFromInline var key: Key?
    /// The number of values that were dropped and not yet requested again. Only `opens` counts them.
    @usableFromInline var dropped = 0

    @inlinable init(_ kind: GateKind, make: @escaping (Value, Key?) -> Downstream.Input?) {
        self.kind = kind
        self.make = make
    }

    @inlinable mutating func receive(_ input: Input, from source: Inlet?, in gate: FanIn<GateLogic>) -> Completion? {
        switch input {
        case .a(let value):
            if let output = make(value, key) {
                gate.deliver(output)
            } else if kind == .opens {
                dropped += 1
            } else {
                gate.answer = .max(1)
            }
        case .b(let key):
            if kind != .accompanies { source?.retire() }
            if kind == .closes { return .finished }
            self.key = key
        }
        // The upstream may still send the downstream's open demand, less the dropped values.
        if dropped > 0, key != nil, gate.demand <= .max(dropped) {
            gate.due += .max(dropped)
            dropped = 0
        }
        return nil
    }

    @inlinable mutating func ended(_ source: Inlet?, _ error: (any Error)?, in gate: FanIn<GateLogic>)
        -> Completion?
    {
        // `closes` ignores how the other upstream ends, and so does `opens` once it is open: the completion may have been queued
        // behind the key. `accompanies` reacts only to a failure.
        let matters = source?.isAsked == true || kind == .opens && key == nil || kind == .accompanies && error != nil
        return matters ? error.map { .failure(convert($0)) } ?? .finished : nil
    }
}
