import Synchronization

/// The logic that `prefix(untilOutputFrom:)`, `drop(untilOutputFrom:)` and `withLatestFrom` share: it passes on the values of one
/// upstream, depending on the values of another.
///
/// A dropped value uses up demand of its upstream, but none of the downstream's. So another one is requested: at once, except by
/// `drop(untilOutputFrom:)`, which, as in Combine, requests more only when values may pass and the upstream has no demand left.
@usableFromInline struct GateLogic<Value, Key, Downstream: Subscriber>: FanInLogic {
    @usableFromInline typealias Input = OneOf<Value, Key, Never, Never>

    /// The effect of the other upstream's values, the keys. `closes`: the first key finishes the gate. `opens`: the first key
    /// lets values through; if the other upstream ends before that, so does the gate. `accompanies`: each key is combined with
    /// the values after it.
    @usableFromInline enum Kind {
        case closes
        case opens
        case accompanies
    }

    @usableFromInline let kind: Kind
    /// Makes an output of a value and the latest key; nil drops the value.
    @usableFromInline let make: (Value, Key?) -> Downstream.Input?
    @usableFromInline var key: Key?
    /// The number of values that were dropped and not yet requested again. Only `opens` counts them.
    @usableFromInline var dropped = 0

    @inlinable init(_ kind: Kind, make: @escaping (Value, Key?) -> Downstream.Input?) {
        self.kind = kind
        self.make = make
    }

    @inlinable mutating func receive(_ input: Input, from source: FanInSourceCore?, in gate: FanIn<GateLogic>) -> Completion? {
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
            if kind != .accompanies { source?.inlet.retire() }
            if kind == .closes { return .finished }
            self.key = key
        }
        // The upstream may still send the downstream's open demand, less the dropped values.
        if dropped > 0, key != nil, gate.demand <= dropped {
            gate.due += dropped
            dropped = 0
        }
        return nil
    }

    @inlinable mutating func requested(in gate: FanIn<GateLogic>) -> Completion? { nil }

    @inlinable mutating func ended(_ source: FanInSourceCore?, _ error: Downstream.Failure?, in gate: FanIn<GateLogic>)
        -> Completion?
    {
        // `closes` ignores how the other upstream ends, and so does `opens` once it is open: the completion may have been queued
        // behind the key. `accompanies` reacts only to a failure.
        let matters = source?.isAsked == true || kind == .opens && key == nil || kind == .accompanies && error != nil
        return matters ? error.map(Completion.failure) ?? .finished : nil
    }
}

extension FanIn {
    /// Subscribes to both upstreams, the keys first.
    ///
    /// - Parameters:
    ///   - upstream: The upstream whose values are passed on.
    ///   - other: The upstream of the keys.
    ///   - demand: The demand to request from `other`, once.
    ///   - waits: Whether the downstream receives its subscription only when `upstream` has sent its own.
    ///   - key: Makes a key of a value of `other`.
    @inlinable @inline(__always) func run<P: Publisher, Other: Publisher, Key, D>(
        _ upstream: P, _ other: Other, asking demand: Demand, waits: Bool = false, key: @escaping (Other.Output) -> Key
    ) where Logic == GateLogic<P.Output, Key, D> {
        // The source that is added last is cancelled first: it must be the one whose values are passed on.
        let keys = FanInSource<Other.Output, Other.Failure, Logic>(self, asking: demand, isStrict: true) { .b(key($0)) }
        let values = FanInSource<P.Output, P.Failure, Logic>(self, isStrict: true, starts: waits) { .a($0) }
        guard sources.admit(keys), sources.admit(values) else { return }
        if !waits { start() }
        // The downstream may cancel when it receives its subscription, and again when the keys are subscribed to.
        if !isClosed.load(ordering: .acquiring) { subscribe(keys, to: other) }
        if !isClosed.load(ordering: .acquiring) { subscribe(values, to: upstream) }
    }
}
