/// Passes on the values of one upstream, depending on what another has sent: what prefix(untilOutputFrom:),
/// drop(untilOutputFrom:) and withLatestFrom share. A value that is dropped has used up its upstream's demand, but none of the
/// downstream's. It is made up for: at once, or by drop(untilOutputFrom:), as in Combine, only when values may pass and the
/// upstream has nothing left to send.
@usableFromInline struct GateLogic<Value, Key, Downstream: Subscriber>: FanInLogic {
    @usableFromInline typealias Input = OneOf<Value, Key, Never, Never>

    /// What the values of the other upstream, the keys, do: the first ends everything; or the first lets values through, and
    /// if none can come, everything ends; or each goes with the values after it.
    @usableFromInline enum Kind { case closes, opens, accompanies }

    @usableFromInline let kind: Kind
    /// What becomes of a value; nil if it is dropped.
    @usableFromInline let make: (Value, Key?) -> Downstream.Input?
    @usableFromInline var key: Key?
    /// How many values were dropped and not made up for.
    @usableFromInline var dropped = 0

    @inlinable init(_ kind: Kind, make: @escaping (Value, Key?) -> Downstream.Input?) { (self.kind, self.make) = (kind, make) }

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
        // The upstream may still send what is open without the dropped ones.
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
        // The end of the other one does not matter to a gate that it would close, nor to one that it has opened: that may have waited
        // here in front of this. One that it accompanies it may fail.
        let matters = source?.isAsked == true || kind == .opens && key == nil || kind == .accompanies && error != nil
        return matters ? error.map(Completion.failure) ?? .finished : nil
    }
}

extension FanIn {
    /// Begins with the upstream whose values are passed on, and the other, which is subscribed to first. If it waits, the
    /// downstream's subscription does, for the upstream's.
    @inlinable @inline(__always) func run<P: Publisher, Other: Publisher, Key, D>(
        _ upstream: P, _ other: Other, asking demand: Demand, waits: Bool = false, key: @escaping (Other.Output) -> Key
    ) where Logic == GateLogic<P.Output, Key, D> {
        // The last is cancelled first, and that is to be the one whose values are passed on.
        let keys = FanInSource<Other.Output, Other.Failure, Logic>(self, asking: demand, isStrict: true) { .b(key($0)) }
        let values = FanInSource<P.Output, P.Failure, Logic>(self, isStrict: true, starts: waits) { .a($0) }
        guard sources.admit(keys), sources.admit(values) else { return }
        if !waits { start() }
        subscribe(keys, to: other)
        subscribe(values, to: upstream)
    }
}
