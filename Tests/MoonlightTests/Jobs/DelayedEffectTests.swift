import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Effects delayed by a scheduler")
struct DelayedEffectTests {
    /// The reason for which a loop drops the effects.
    enum Reason: CaseIterable { case cancelledJob, newerJob, leavingChild, cancelledLoop, releasedLoop }

    @Test(
        "Delayed effects release their values and timers at once when their loop cancels them", arguments: Reason.allCases
    )
    func dropped(reason: Reason) {
        let (time, census) = (VirtualTimeScheduler(), Census())
        var store: Store<Parent, Event>? = Store(
            reducer: Parent.reducer(time, census), initialState: Parent(child: 0), environment: ())
        for _ in 1...3 { store?.send(.child(.wait)) }
        expectEqual(census.alive, ["effect"])
        expect(time.pending > 0)
        switch reason {
        case .cancelledJob: store?.send(.child(.stop))
        case .newerJob: store?.send(.child(.goOn))
        case .leavingChild: store?.send(.leave)
        case .cancelledLoop: store?.cancel()
        case .releasedLoop: store = nil
        }
        expectEqual(census.alive, [])
        expectEqual(time.pending, 0)
    }

    private struct Parent: Equatable, Sendable {
        var child: Int?

        static func reducer(_ time: VirtualTimeScheduler, _ census: Census) -> Reducer<Parent, Event, Effect, Void> {
            let child = Reducer<Int, ChildEvent, Token, Void>(
                transform: { _, event, _ in
                    switch event {
                    case .wait:
                        let token = Token("effect", in: census)
                        return Just(token).delay(for: .seconds(3600), scheduler: time)
                            .job("wait", .latest).eraseToAnyPublisher()
                    case .goOn: return Empty(completeImmediately: false).job("wait", .latest).eraseToAnyPublisher()
                    case .stop: return .cancelJob("wait")
                    }
                },
                apply: { (count: inout Int, _: Token) in count += 1 })
            let parent = Reducer<Parent, Event, Effect, Void>(
                transform: { _, event, _ -> AnyPublisher<Effect, Never> in
                    if case .leave = event { return Just(.left).eraseToAnyPublisher() }
                    return .none
                },
                apply: { (parent: inout Parent, effect: Effect) in
                    if case .left = effect { parent.child = nil }
                })
            return parent.combined(
                with: child.scoped(toOptional: \.child, event: Event.child, effect: Effect.child, environment: { $0 }))
        }
    }

    private enum ChildEvent: Sendable { case wait, goOn, stop }
    private enum Event: Sendable {
        case child(ChildEvent)
        case leave
        static let child = CasePath(Event.child) { if case .child(let event) = $0 { event } else { nil } }
    }

    private enum Effect: Sendable {
        case child(Token)
        case left
        static let child = CasePath(Effect.child) { if case .child(let token) = $0 { token } else { nil } }
    }
}
