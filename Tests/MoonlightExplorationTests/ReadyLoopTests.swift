import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightExploration

private enum Move: Sendable, CustomStringConvertible {
    case add([Int])
    case hidden, refused
    case pot(Int, Int)
    case isFull(Int)

    static let pot = CasePath(Move.pot) { if case .pot(let id, let amount) = $0 { (id, amount) } else { nil } }

    var description: String {
        switch self {
        case .add(let numbers): "add\(numbers)"
        case .hidden: "hidden"
        case .refused: "refused"
        case .pot(let id, let amount): "pot \(id) \(amount)"
        case .isFull(let id): "full \(id)"
        }
    }
}

private struct Kitchen: Equatable, Sendable {
    var sum = 0
    var pots = [1: 0, 2: 0]
}

private let pot = Reducer<Int, Int, Int, Void>(
    transform: { _, event, _ in
        switch event {
        case 0: Empty(completeImmediately: false).eraseToAnyPublisher()
        case ..<0: [-event, -event].publisher.eraseToAnyPublisher()
        default: Just(event).eraseToAnyPublisher()
        }
    }, apply: { $0 += $1 })

private let kitchen = Reducer<Kitchen, Move, Move, Void>(
    transform: { _, event, _ in
        switch event {
        case .add(let numbers): return numbers.map { Move.add([$0]) }.publisher.eraseToAnyPublisher()
        case .hidden: return PassthroughSubject<Move, Never>().eraseToAnyPublisher()
        case .refused: throw Rejection("no")
        case .pot: return Empty().eraseToAnyPublisher()
        case .isFull(let id): return Just(.add([100 * id])).eraseToAnyPublisher()
        }
    },
    apply: { (state: inout Kitchen, effect: Move) in
        guard case .add(let numbers) = effect else { return }
        if numbers == [13] { throw Rejection("unlucky") }
        state.sum += numbers[0]
    }
).combined(
    with: pot.scoped(
        toEach: \.pots, event: Move.pot, effect: Move.pot, environment: { $0 },
        result: { id, level in level > 9 ? .isFull(id) : nil }))

/// A loop without thread and mailbox, as all effects are ready.
@Suite("`ReadyLoop`: a loop of synchronous effects")
struct ReadyLoopTests {
    /// The handling of an event, in lines, with the sum and the pots at the end.
    private func handle(_ event: Move, most: Int = 10, in reducer: Reducer<Kitchen, Move, Move, Void> = kitchen) -> [String] {
        var (lines, state) = ([String](), Kitchen())
        let outcome = ReadyLoop(reducer).handle(
            event, in: &state, (), most: most, hasOneSender: true,
            applied: { lines.append("\($0)" + ($1.map { " → \($0.sum)" } ?? " unchanged")) },
            refused: { what, _ in lines.append("\(what) refused") })
        return lines + ["\(outcome) \(state.sum) \(state.pots.sorted { $0.key < $1.key }.map(\.value))"]
    }

    @Test("Effects are applied in order, and one that changes nothing is reported as unchanged")
    func effects() {
        expectEqual(handle(.add([1, 0, 2])), ["add[1] → 1", "add[0] unchanged", "add[2] → 3", "settled 3 [0, 0]"])
        expectEqual(handle(.add([7])), ["add[7] → 7", "settled 7 [0, 0]"])
        expectEqual(handle(.add([])), ["settled 0 [0, 0]"])
    }

    @Test("A rejected event or effect changes nothing, and the other effects are applied")
    func refusals() {
        expectEqual(handle(.refused), ["refused refused", "settled 0 [0, 0]"])
        expectEqual(handle(.add([1, 13, 2])), ["add[1] → 1", "add[13] refused", "add[2] → 3", "settled 3 [0, 0]"])
    }

    @Test("Follow-up events can lead to further events, which are handled")
    func following() {
        // When the first pot is full and removed, the next drops go into the second.
        let relaying = Reducer<Kitchen, Move, Move, Void>(
            transform: { _, event, _ in if case .isFull(1) = event { .just(.pot(2, 12)) } else { .none } },
            apply: { (_: inout Kitchen, _: Move) in })
        expectEqual(
            handle(.pot(1, 12), in: kitchen.combined(with: relaying)),
            [
                "pot 1 12 → 0", "add[100] → 100", "pot 2 12 → 100", "add[200] → 300", "settled 300 []",
            ])
    }

    @Test("A stream that is not synchronous ends the handling of an event with the result \"unready\"")
    func unready() {
        expectEqual(handle(.hidden), ["unready 0 [0, 0]"])
        expectEqual(handle(.pot(1, 0)), ["unready 0 [0, 0]"])
    }

    @Test("A single synchronous effect of a child is applied; several are unready, as the first might remove the child")
    func children() {
        expectEqual(handle(.pot(2, 5)), ["pot 2 5 → 0", "settled 0 [0, 5]"])
        expectEqual(handle(.pot(1, -2)), ["unready 0 [0, 0]"])
    }

    /// Responds to the events of a pot: to 5 at once, to 6 later.
    private let answering = Reducer<Kitchen, Move, Move, Void>(
        transform: { _, event, _ in
            switch event {
            case .pot(_, 5): .just(.add([1]))
            case .pot(_, 6): PassthroughSubject<Move, Never>().eraseToAnyPublisher()
            default: .none
            }
        }, apply: { (_: inout Kitchen, _: Move) in })

    @Test("Streams are applied in order, unless one is not synchronous or its child might have been removed")
    func severalStreams() {
        let (first, last) = (answering.combined(with: kitchen), kitchen.combined(with: answering))
        expectEqual(handle(.pot(1, 5), in: first), ["unready 0 [0, 0]"])
        expectEqual(handle(.pot(1, 6), in: first), ["unready 0 [0, 0]"])
        expectEqual(handle(.pot(1, 5), in: last), ["pot 1 5 → 0", "add[1] → 1", "settled 1 [5, 0]"])
        expectEqual(handle(.pot(1, 6), in: last), ["unready 0 [0, 0]"])
    }

    @Test("Effects pass through middleware if they are the parent's or the single synchronous effect of a child")
    func middleware() {
        let plain = kitchen.middleware { state, event, world, next in try next(state, event, world) }
        expectEqual(handle(.pot(1, 5), in: plain), ["pot 1 5 → 0", "settled 0 [5, 0]"])
        expectEqual(handle(.pot(1, -2), in: plain), ["unready 0 [0, 0]"])
        expectEqual(handle(.add([1, 2]), in: plain), ["add[1] → 1", "add[2] → 3", "settled 3 [0, 0]"])
    }

    @Test("Follow-up events are handled after all effects of the previous event, up to a maximum number of events")
    func followUps() {
        expectEqual(handle(.pot(1, 10)), ["pot 1 10 → 0", "add[100] → 100", "settled 100 [0]"])
        expectEqual(handle(.pot(1, 10), most: 1).last, "settled 100 [0]")
        expectEqual(handle(.pot(1, 10), most: 0), ["pot 1 10 → 0", "endless 0 [0]"])
    }
}
