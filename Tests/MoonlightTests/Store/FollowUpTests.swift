import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// A follow-up event of an effect is an event of its own.
@Suite("Follow-up events of effects")
struct FollowUpTests {
    private struct Room: Equatable, Sendable { var (pots, replaced) = ([1: 0], 0) }
    private enum Event: Sendable {
        case pour(Int, Int)
        case isFull(Int)
        static let pour = CasePath(Event.pour) { if case .pour(let id, let amount) = $0 { (id, amount) } else { nil } }
    }

    /// A room that rejects the events of full pots or, if `byApply`, their effects.
    private func store(hasJournal: Bool, byApply: Bool) -> Store<Room, Event> {
        let pot = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 += $1 })
        let itself = Reducer<Room, Event, Event, Void>(
            transform: { _, event, _ in
                guard case .isFull = event else { return .none }
                return byApply ? .just(event) : try { throw Refusal() }()
            }, apply: { _, effect in if case .isFull = effect { throw Refusal() } })
        let room = itself.combined(
            with: pot.scoped(
                toEach: \.pots, event: Event.pour, effect: Event.pour, environment: { $0 },
                result: { id, level in level > 9 ? .isFull(id) : nil }))
        let options = hasJournal ? LoopOptions<Room, Event, Event>(journal: { _ in }) : LoopOptions()
        return Store(reducer: room, initialState: Room(), environment: (), options: options)
    }

    @Test("A follow-up event counts as a step without input, also without a journal")
    func steps() {
        let pot = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 += $1 })
        // Replaces a full pot by a new one, and fills it.
        let itself = Reducer<Room, Event, Event, Void>(
            transform: { room, event, _ in
                guard case .isFull = event, room.replaced < 9 else { return .none }
                return [event, .pour(1, 10)].publisher.eraseToAnyPublisher()
            },
            apply: { room, effect in
                guard case .isFull(let id) = effect else { return }
                room.pots[id] = 0
                room.replaced += 1
            })
        let room = itself.combined(
            with: pot.scoped(
                toEach: \.pots, event: Event.pour, effect: Event.pour, environment: { $0 },
                result: { id, level in level > 9 ? .isFull(id) : nil }))
        let reports = Recorder<Int>()
        let store = Store(
            reducer: room, initialState: Room(), environment: (),
            options: LoopOptions<Room, Event, Event>(stepLimit: 5, onRunaway: { reports.append($0.steps) }))
        store.post(.pour(1, 10))
        expectEqual(store.state.replaced, 9)
        expectEqual(reports.all, [5])
    }

    @Test(
        "A sender is not notified of the rejection of a follow-up event or its effect", arguments: [false, true], [false, true])
    func rejected(hasJournal: Bool, byApply: Bool) async {
        let store = store(hasJournal: hasJournal, byApply: byApply)
        await expectEqual(store.send(.pour(1, 10)).word, "settled")
        expect(store.state.pots.isEmpty)
    }
}
