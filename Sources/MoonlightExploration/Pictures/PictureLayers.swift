/// The states of a picture in columns: the first state, then those one choice away, and so on, each column in an order in which
/// few arrows cross.
struct PictureLayers {
    /// The numbers of the states in each column, from top to bottom.
    private(set) var columns: [[Int]] = []
    /// The column of each state.
    let layers: [Int]

    /// - Parameters:
    ///   - count: The number of states.
    ///   - arrows: The arrows between them.
    init(count: Int, arrows: [(source: Int, target: Int)]) {
        var targets: [[Int]] = Array(repeating: [], count: count)
        for arrow in arrows { targets[arrow.source].append(arrow.target) }
        var layers = Array(repeating: -1, count: count)
        // Breadth first. All are reached from the first state, except in a picture that was put together by hand.
        for root in 0..<count where layers[root] < 0 {
            layers[root] = 0
            var (order, next) = ([root], 0)
            while next < order.count {
                for target in targets[order[next]] where layers[target] < 0 {
                    layers[target] = layers[order[next]] + 1
                    order.append(target)
                }
                next += 1
            }
        }
        self.layers = layers
        columns = Array(repeating: [], count: (layers.max() ?? -1) + 1)
        for (state, layer) in layers.enumerated() { columns[layer].append(state) }
        sort(by: Self.neighbours(count, arrows))
    }

    /// For each state, those that an arrow joins it with, in either direction.
    private static func neighbours(_ count: Int, _ arrows: [(source: Int, target: Int)]) -> [[Int]] {
        var neighbours: [[Int]] = Array(repeating: [], count: count)
        for arrow in arrows where arrow.source != arrow.target {
            neighbours[arrow.source].append(arrow.target)
            neighbours[arrow.target].append(arrow.source)
        }
        return neighbours
    }

    /// Sorts each column by the mean place of the neighbours in the column before it, then by those in the one after it, a few times.
    private mutating func sort(by neighbours: [[Int]]) {
        var places = Array(repeating: 0.0, count: layers.count)
        func note(_ column: [Int]) { for (place, state) in column.enumerated() { places[state] = Double(place) } }
        columns.forEach(note)
        for round in 0..<8 {
            let isForward = round % 2 == 0
            for index in isForward ? Array(columns.indices) : columns.indices.reversed() {
                let other = isForward ? index - 1 : index + 1
                let keys = columns[index].map { state in
                    Self.mean(neighbours[state].filter { layers[$0] == other }.map { places[$0] }) ?? places[state]
                }
                // By the place, too: the order must not depend on the algorithm of the sort.
                let order = columns[index].indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
                columns[index] = order.map { columns[index][$0] }
                note(columns[index])
            }
        }
    }

    static func mean(_ numbers: [Double]) -> Double? {
        numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
    }

    /// Places intervals in a given order, without overlaps, so that the squares of the distances from where they would like to be
    /// are least: by isotonic regression, which merges neighbours that are in each other's way into blocks.
    ///
    /// - Parameters:
    ///   - wishes: Where the middle of each would like to be.
    ///   - sizes: Their sizes.
    ///   - gap: The distance between two.
    /// - Returns: Their middles.
    static func spread(_ wishes: [Double], sizes: [Double], gap: Double) -> [Double] {
        var offsets: [Double] = []
        for index in wishes.indices {
            offsets.append(index == 0 ? 0 : offsets[index - 1] + (sizes[index - 1] + sizes[index]) / 2 + gap)
        }
        var blocks: [(sum: Double, count: Int)] = []
        for (wish, offset) in zip(wishes, offsets) {
            blocks.append((wish - offset, 1))
            while blocks.count > 1, let last = blocks.last, case let before = blocks[blocks.count - 2],
                before.sum / Double(before.count) > last.sum / Double(last.count)
            {
                blocks.removeLast(2)
                blocks.append((before.sum + last.sum, before.count + last.count))
            }
        }
        let shifts = blocks.flatMap { Array(repeating: $0.sum / Double($0.count), count: $0.count) }
        return zip(shifts, offsets).map { $0 + $1 }
    }
}
