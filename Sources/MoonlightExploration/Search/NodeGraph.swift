/// The graph of the nodes, in the order of their discovery, and of the choices between them.
struct NodeGraph {
    /// A node.
    struct Node {
        /// The node from which it was first reached, and the choice; the initial node is its own parent.
        let parent: Int
        let choice: Choice
        let depth: Int
        /// For each property, whether its goal (`until`, `to`) holds there.
        let goals: Bits
        /// True if nothing must follow: no timer and no event is pending, and no open call is sure to receive an outcome.
        let mayRest: Bool
        /// The open calls that are sure to receive an outcome; -1 stands for a timer, -2 for an event that follows from an effect.
        let open: Set<Int>
        /// A fingerprint of the node without the numbers of events, which do not affect its future.
        let place: UInt64
        /// True if a limit excludes further events.
        let isExhausted: Bool
        var isExpanded = false
    }

    /// A choice, with its effect on the goals.
    struct Edge {
        let choice: Choice
        let target: Int
        /// For each property, whether its goal was reached during the choice, even if only in between.
        let reached: Bits
        /// For each property, whether its goal is pending afterwards if it was not before.
        let owed: Bits
        /// The calls that the choice has closed.
        let closed: Set<Int>
    }

    /// A flag for each property, by its number.
    struct Bits: Equatable {
        private var bits: [Bool]
        init(_ bits: [Bool]) { self.bits = bits }
        subscript(_ index: Int) -> Bool { bits[index] }
    }

    private(set) var nodes: [Node] = []
    private(set) var edges: [[Edge]] = []

    mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        edges.append([])
        return nodes.count - 1
    }

    mutating func expand(_ index: Int, _ edges: [Edge]) {
        nodes[index].isExpanded = true
        self.edges[index] = edges
    }

    /// Returns the choices that lead to a node.
    func path(to index: Int) -> [Choice] {
        var path: [Choice] = []
        var index = index
        while nodes[index].parent != index {
            path.append(nodes[index].choice)
            index = nodes[index].parent
        }
        return path.reversed()
    }

    // MARK: Properties of the whole graph

    /// Returns the nearest node from which a goal cannot be reached; nil if there is none.
    ///
    /// Nodes that differ only in the number of events count as one, since they would have the same future without limits. A
    /// goal counts as reachable from nodes that are all exhausted, and from nodes that were not expanded.
    func lost(goal: Int) -> Int? {
        var numbers: [UInt64: Int] = [:]
        let places = nodes.map { node in
            if let number = numbers[node.place] { return number }
            defer { numbers[node.place] = numbers.count }
            return numbers.count
        }
        var sources: [[Int]] = Array(repeating: [], count: numbers.count)
        var canReach = Array(repeating: true, count: numbers.count)
        for (node, place) in zip(nodes, places) where !node.isExhausted { canReach[place] = false }
        for (index, place) in places.enumerated() {
            if nodes[index].goals[goal] || !nodes[index].isExpanded { canReach[place] = true }
            for edge in edges[index] {
                sources[places[edge.target]].append(place)
                if edge.reached[goal] { canReach[place] = true }
            }
        }
        var waiting = canReach.indices.filter { canReach[$0] }
        while let next = waiting.popLast() {
            for source in sources[next] where !canReach[source] {
                canReach[source] = true
                waiting.append(source)
            }
        }
        return places.firstIndex { !canReach[$0] }
    }

    /// A counterexample for a goal that must be reached eventually.
    struct Lasso {
        /// The choices to the node at which the trace ends, or at which the cycle begins.
        let stem: [Choice]
        /// The choices that repeat forever; empty if the trace ends.
        let cycle: [Choice]
    }

    /// Returns a trace in which a pending goal is never reached; nil if there is none.
    ///
    /// - Parameters:
    ///   - goal: The property.
    ///   - isOwedAtFirst: True if the goal is pending in the initial node.
    func unfulfilled(goal: Int, isOwedAtFirst: Bool) -> Lasso? {
        // Breadth first through nodes in which the goal is pending (1) or not (0).
        let count = nodes.count
        var parents = Array(repeating: -1, count: 2 * count)
        var choices = Array(repeating: Choice.time, count: 2 * count)
        var order: [Int] = [isOwedAtFirst ? 1 : 0]
        parents[order[0]] = order[0]
        var next = 0
        while next < order.count {
            let node = order[next]
            next += 1
            for edge in edges[node / 2] {
                let isOwed = node % 2 == 1 && !edge.reached[goal] || edge.owed[goal]
                let target = 2 * edge.target + (isOwed ? 1 : 0)
                if parents[target] >= 0 { continue }
                (parents[target], choices[target]) = (node, edge.choice)
                order.append(target)
            }
        }
        func stem(to node: Int) -> [Choice] {
            var (path, node) = ([Choice](), node)
            while parents[node] != node {
                path.append(choices[node])
                node = parents[node]
            }
            return path.reversed()
        }
        let owed = order.filter { $0 % 2 == 1 }.map { $0 / 2 }
        let rest = owed.first { nodes[$0].mayRest }
        // Preferably one in which no event waits, which is easier to read.
        let cycle = fairCycle(in: owed, goal: goal) { !$0.isHeld } ?? fairCycle(in: owed, goal: goal) { _ in true }
        if let rest, cycle.map({ stem(to: 2 * rest + 1).count <= stem(to: 2 * $0.start + 1).count + $0.choices.count }) ?? true {
            return Lasso(stem: stem(to: 2 * rest + 1), cycle: [])
        }
        return cycle.map { Lasso(stem: stem(to: 2 * $0.start + 1), cycle: $0.choices) }
    }

    /// Returns a cycle without events from outside, on which a goal is not reached and no call stays open throughout.
    private func fairCycle(
        in nodes: [Int], goal: Int, by isAllowed: (Choice) -> Bool
    ) -> (start: Int, choices: [Choice])? {
        let isInside = Set(nodes)
        func steps(from index: Int) -> [Edge] {
            edges[index].filter {
                !$0.choice.isFromOutside && isAllowed($0.choice) && !$0.reached[goal] && isInside.contains($0.target)
            }
        }
        for component in components(of: nodes, steps: steps) {
            let members = Set(component)
            let inner = component.flatMap { index in steps(from: index).filter { members.contains($0.target) } }
            guard !inner.isEmpty else { continue }
            // Calls that are open in every node, and that no choice closes, stay open.
            var stays = self.nodes[component[0]].open
            for index in component.dropFirst() { stays.formIntersection(self.nodes[index].open) }
            for edge in inner { stays.subtract(edge.closed) }
            guard stays.isEmpty else { continue }
            let start = component.min() ?? component[0]
            return (start, tour(from: start, through: inner.count, members, steps))
        }
        return nil
    }

    /// Returns the choices of a walk from a node back to itself that takes every edge within a component.
    private func tour(from start: Int, through count: Int, _ members: Set<Int>, _ steps: (Int) -> [Edge]) -> [Choice] {
        var (walk, place) = ([Choice](), start)
        var taken: Set<[Int]> = []
        func way(from: Int, isGoal: (Int, Edge?) -> Bool) -> [(Int, Edge)] {
            var parents: [Int: (Int, Edge)] = [:]
            var (order, next) = ([from], 0)
            while next < order.count {
                let index = order[next]
                next += 1
                for edge in steps(index) where members.contains(edge.target) {
                    let isEnd = isGoal(index, edge)
                    if isEnd || parents[edge.target] == nil && edge.target != from {
                        if isEnd {
                            var (path, place) = ([(index, edge)], index)
                            while place != from, let (parent, edge) = parents[place] {
                                path.append((parent, edge))
                                place = parent
                            }
                            return path.reversed()
                        }
                        parents[edge.target] = (index, edge)
                        order.append(edge.target)
                    }
                }
            }
            return []
        }
        func isNew(_ index: Int, _ edge: Edge) -> Bool { !taken.contains(Self.name(index, edge)) }
        while taken.count < count {
            let way = way(from: place) { index, edge in edge.map { isNew(index, $0) } ?? false }
            guard let last = way.last else { break }
            for (index, edge) in way {
                taken.insert(Self.name(index, edge))
                walk.append(edge.choice)
            }
            place = last.1.target
        }
        if place != start { walk += way(from: place) { _, edge in edge?.target == start }.map(\.1.choice) }
        return walk
    }

    private static func name(_ index: Int, _ edge: Edge) -> [Int] { [index, Int(edge.choice.packed ?? 0)] }

    /// Returns the strongly connected components, by Tarjan's algorithm without recursion.
    private func components(of nodes: [Int], steps: (Int) -> [Edge]) -> [[Int]] {
        var numbers: [Int: Int] = [:]
        var lows: [Int: Int] = [:]
        var (stack, isOnStack) = ([Int](), Set<Int>())
        var components: [[Int]] = []
        for root in nodes where numbers[root] == nil {
            var work: [(node: Int, targets: [Int], next: Int)] = []
            func enter(_ node: Int) {
                (numbers[node], lows[node]) = (numbers.count, numbers.count)
                stack.append(node)
                isOnStack.insert(node)
                work.append((node, steps(node).map(\.target), 0))
            }
            enter(root)
            while let (node, targets, next) = work.last {
                if next < targets.count {
                    work[work.count - 1].next += 1
                    let target = targets[next]
                    if numbers[target] == nil {
                        enter(target)
                    } else if isOnStack.contains(target) {
                        lows[node] = min(lows[node]!, numbers[target]!)
                    }
                    continue
                }
                work.removeLast()
                if let parent = work.last?.node { lows[parent] = min(lows[parent]!, lows[node]!) }
                guard lows[node] == numbers[node] else { continue }
                var component: [Int] = []
                while let member = stack.popLast() {
                    isOnStack.remove(member)
                    component.append(member)
                    if member == node { break }
                }
                components.append(component)
            }
        }
        return components
    }
}
