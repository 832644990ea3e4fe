import MoonlightTestSupport
import Testing

@testable import MoonlightExploration

/// A graph with one property and numbered nodes, given the choices as (from, choice, to).
private func graph(
    goals: Set<Int> = [], open: [Int: Set<Int>] = [:], _ edges: [(Int, Choice, Int)], closing: [Int: Set<Int>] = [:]
) -> NodeGraph {
    var graph = NodeGraph()
    let count = (edges.flatMap { [$0.0, $0.2] }.max() ?? 0) + 1
    for index in 0..<count {
        let way = edges.first { $0.2 == index && $0.0 < index }
        let live = open[index] ?? []
        _ = graph.add(
            .init(
                parent: way?.0 ?? index, choice: way?.1 ?? .time, depth: 0, goals: .init([goals.contains(index)]),
                mayRest: live.isEmpty, open: live, place: UInt64(index), isExhausted: false))
    }
    for index in 0..<count {
        graph.expand(
            index,
            edges.indices.filter { edges[$0].0 == index }.map { number in
                .init(
                    choice: edges[number].1, target: edges[number].2, reached: .init([goals.contains(edges[number].2)]),
                    owed: .init([false]), closed: closing[number] ?? [])
            })
    }
    return graph
}

@Suite("Exploration: the graph of nodes")
struct NodeGraphTests {
    @Test("A cycle of answers that avoids the goal is reported, with the choices that lead to it")
    func cycle() {
        let graph = graph(
            goals: [3], open: [0: [7], 1: [7], 2: [8], 3: []],
            [(0, .event(0), 1), (1, .answer(call: 0, outcome: 0), 2), (2, .answer(call: 0, outcome: 1), 1), (2, .time, 3)],
            closing: [1: [7], 2: [8], 3: [8]])
        let lasso = graph.unfulfilled(goal: 0, isOwedAtFirst: true)
        expectEqual(lasso?.stem, [.event(0)])
        expectEqual(lasso?.cycle, [.answer(call: 0, outcome: 0), .answer(call: 0, outcome: 1)])
    }

    @Test("A cycle on which a call stays open throughout is not reported, since the call is answered eventually")
    func unfairCycle() {
        let graph = graph(
            goals: [3], open: [0: [7, 9], 1: [7, 9], 2: [8, 9], 3: []],
            [
                (0, .event(0), 1), (1, .answer(call: 0, outcome: 0), 2), (2, .answer(call: 0, outcome: 1), 1),
                (2, .answer(call: 1, outcome: 0), 3), (1, .answer(call: 1, outcome: 0), 3),
            ],
            closing: [1: [7], 2: [8], 3: [8, 9], 4: [7, 9]])
        expect(graph.unfulfilled(goal: 0, isOwedAtFirst: true) == nil)
    }

    @Test("A cycle on which a call is answered and made again is reported, although a call is open at each of its nodes")
    func answeredAndMadeAgain() {
        let graph = graph(
            goals: [3], open: [0: [7], 1: [7], 2: [7], 3: []],
            [(0, .event(0), 1), (1, .answer(call: 0, outcome: 0), 2), (2, .time, 1), (2, .answer(call: 0, outcome: 1), 3)],
            closing: [1: [7], 3: [7]])
        let lasso = graph.unfulfilled(goal: 0, isOwedAtFirst: true)
        expectEqual(lasso?.stem, [.event(0)])
        expectEqual(lasso?.cycle, [.answer(call: 0, outcome: 0), .time])
    }

    @Test("A cycle of events from outside is not reported, since they stop eventually")
    func eventCycle() {
        let graph = graph(
            goals: [2], open: [0: [1], 1: [1]], [(0, .event(0), 1), (1, .event(1), 0), (1, .time, 2), (0, .time, 2)])
        expect(graph.unfulfilled(goal: 0, isOwedAtFirst: true) == nil)
    }

    @Test("A path that misses the goal is reported even if it joins a path that reaches the goal")
    func joins() {
        // 0 to 3 by way of the goal 1, or of 2.
        let graph = graph(
            goals: [1], open: [0: [1], 1: [1], 2: [1]],
            [(0, .event(0), 1), (0, .event(1), 2), (1, .time, 3), (2, .time, 3)])
        expectEqual(graph.unfulfilled(goal: 0, isOwedAtFirst: true)?.stem, [.event(1), .time])
    }

    @Test("The first node that cannot reach the goal is found")
    func lost() {
        let graph = graph(
            goals: [1], [(0, .event(0), 1), (1, .event(0), 0), (1, .event(1), 2), (2, .event(0), 3), (3, .event(0), 2)])
        expectEqual(graph.lost(goal: 0), 2)
        expectEqual(graph.path(to: 2), [.event(0), .event(1)])
    }
}
