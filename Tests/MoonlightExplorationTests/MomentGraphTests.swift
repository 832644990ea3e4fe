import Testing

@testable import MoonlightExploration

/// A graph with one property, of moments that are numbered, given the choices as (from, choice, to).
private func graph(
    goals: Set<Int> = [], open: [Int: Set<Int>] = [:], _ edges: [(Int, Choice, Int)], closing: [Int: Set<Int>] = [:]
) -> MomentGraph {
    var graph = MomentGraph()
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

@Suite("Exploration: the graph of moments")
struct MomentGraphTests {
    @Test("a cycle of answers on which the goal is not reached is a lasso")
    func cycle() {
        let graph = graph(
            goals: [3], open: [0: [7], 1: [7], 2: [8], 3: []],
            [(0, .event(0), 1), (1, .answer(call: 0, outcome: 0), 2), (2, .answer(call: 0, outcome: 1), 1), (2, .time, 3)],
            closing: [1: [7], 2: [8], 3: [8]])
        let lasso = graph.unfulfilled(goal: 0, isOwedAtFirst: true)
        #expect(lasso?.stem == [.event(0)])
        #expect(lasso?.cycle == [.answer(call: 0, outcome: 0), .answer(call: 0, outcome: 1)])
    }

    @Test("a cycle on which a call stays open all the time is none")
    func unfairCycle() {
        let graph = graph(
            goals: [3], open: [0: [7, 9], 1: [7, 9], 2: [8, 9], 3: []],
            [
                (0, .event(0), 1), (1, .answer(call: 0, outcome: 0), 2), (2, .answer(call: 0, outcome: 1), 1),
                (2, .answer(call: 1, outcome: 0), 3), (1, .answer(call: 1, outcome: 0), 3),
            ],
            closing: [1: [7], 2: [8], 3: [8, 9], 4: [7, 9]])
        #expect(graph.unfulfilled(goal: 0, isOwedAtFirst: true) == nil)
    }

    @Test("events from outside make no cycle, as they cease to come")
    func eventCycle() {
        let graph = graph(
            goals: [2], open: [0: [1], 1: [1]], [(0, .event(0), 1), (1, .event(1), 0), (1, .time, 2), (0, .time, 2)])
        #expect(graph.unfulfilled(goal: 0, isOwedAtFirst: true) == nil)
    }

    @Test("where choices join, a way that misses the goal is not hidden by one that reaches it")
    func joins() {
        // 0 to 3 by way of the goal 1, or of 2.
        let graph = graph(
            goals: [1], open: [0: [1], 1: [1], 2: [1]],
            [(0, .event(0), 1), (0, .event(1), 2), (1, .time, 3), (2, .time, 3)])
        #expect(graph.unfulfilled(goal: 0, isOwedAtFirst: true)?.stem == [.event(1), .time])
    }

    @Test("the first moment that cannot reach the goal is told")
    func lost() {
        let graph = graph(
            goals: [1], [(0, .event(0), 1), (1, .event(0), 0), (1, .event(1), 2), (2, .event(0), 3), (3, .event(0), 2)])
        #expect(graph.lost(goal: 0) == 2)
        #expect(graph.path(to: 2) == [.event(0), .event(1)])
    }
}
