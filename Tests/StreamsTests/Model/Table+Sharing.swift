import Streams

// Operators that share an upstream, and operators with other threads and times.
extension Table {
    @RowBuilder static var sharing: [Row] {
        Row("share", asks: .anything) { up, _ in
            up[0].share()
        } model: {
            .passing($0.wanted.values, $0.end)
        }
        Row("multicast and autoconnect", asks: .anything) { up, w in
            up[0].multicast { w(PassthroughSubject()) }.autoconnect()
        } model: {
            .passing($0.wanted.values, $0.end)
        }
    }

    @RowBuilder static var scheduling: [Row] {
        Row.linking("receive(on: ImmediateScheduler)") { up, _ in
            up.receive(on: ImmediateScheduler.shared)
        } model: {
            ($0, $1)
        }
        Row("receive(on: VirtualTimeScheduler)", asks: .same, isTimed: true, cancelsEnded: true) { up, w in
            up[0].receive(on: w.time)
        } model: {
            .passing($0.values, $0.end)
        }
        Row("delay", asks: .same, isTimed: true, cancelsEnded: true) { up, w in
            up[0].delay(for: .seconds(1), scheduler: w.time)
        } model: {
            let past = $0.until($0.now - 1)
            return .passing(past.values, past.end)
        }
    }
}
