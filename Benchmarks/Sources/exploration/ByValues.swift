import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams

/// A sliding puzzle, in which half of all permutations are reachable. The same model as `Spin/puzzle.pml`.
///
/// The state is four bits for each square, and the square of the gap above them.
func puzzle(rows: Int, columns: Int) -> Model {
    let squares = rows * columns
    // For each square of the gap, the squares from which a tile can move.
    let moves = (0..<squares).map { gap in
        [
            gap >= columns ? gap - columns : nil, gap < squares - columns ? gap + columns : nil,
            gap % columns > 0 ? gap - 1 : nil, gap % columns < columns - 1 ? gap + 1 : nil,
        ].compactMap { $0 }
    }
    var solved = UInt64(squares - 1) << 56
    for square in 0..<squares - 1 { solved |= UInt64(square + 1) << UInt64(4 * square) }
    let first = solved
    let reducer = Reducer<UInt64, Int, Int, Void>(
        transform: { _, square, _ in .just(square) },
        apply: { (state: inout UInt64, square: Int) in
            let gap = state >> 56
            let tile = state >> UInt64(4 * square) & 15
            state &= 0xFF_FFFF_FFFF_FFFF & ~(15 << UInt64(4 * square))
            state |= tile << (4 * gap) | UInt64(square) << 56
        })
    let states = (3...squares).reduce(1, *)
    return Model(
        name: "puzzle \(rows)x\(columns)", stateCount: states, transitions: states / squares * moves.map(\.count).reduce(0, +),
        steps: nil
    ) {
        try Exploration(reducer, given: first) { _ in }.events { moves[Int($0 >> 56)] }.limited(nodes: states + 1).run()
    }
}

/// Four counters, each of which restarts at a limit. The same model as `Spin/counters.pml`.
func counters(limit: Int) -> Model {
    let all = [0, 1, 2, 3]
    let reducer = Reducer<UInt32, Int, Int, Void>(
        transform: { _, counter, _ in .just(counter) },
        apply: { (state: inout UInt32, counter: Int) in
            let shift = UInt32(8 * counter)
            let value = (state >> shift & 255) + 1
            state = state & ~(255 << shift) | (value == limit ? 0 : value) << shift
        })
    let states = limit * limit * limit * limit
    return Model(name: "counters 4x\(limit)", stateCount: states, transitions: 4 * states, steps: nil) {
        try Exploration(reducer, given: 0) { _ in }.events { _ in all }.limited(nodes: states + 1).run()
    }
}
