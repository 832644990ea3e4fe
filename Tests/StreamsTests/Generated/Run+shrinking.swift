extension Run {
    /// Returns the smallest failing run that repeated shrinking leads to.
    func shrunk(while fails: (Run) -> Bool) -> Run {
        var smallest = self
        while let smaller = smallest.smaller.first(where: fails) { smallest = smaller }
        return smallest
    }

    /// Slightly smaller runs, the smallest first.
    private var smaller: [Run] {
        let programs = program.smaller.filter(\.isModelled).sorted { $0.size < $1.size }.map {
            Run(program: $0, moves: moves, demand: demand)
        }
        let halves =
            moves.count > 2
            ? [Array(moves.prefix(moves.count / 2)), Array(moves.suffix(moves.count / 2))].map(with(moves:)) : []
        let shorter = moves.indices.map { index in with(moves: Array(moves[..<index] + moves[(index + 1)...])) }
        let simpler = moves.indices.compactMap { index -> Run? in
            var all = moves
            switch moves[index] {
            case .send(let value, to: let place) where value > 0 || place > 0:
                all[index] = .send(max(0, value - 1), to: value > 0 ? place : 0)
            case .request(let count) where count > 1: all[index] = .request(count - 1)
            default: return nil
            }
            return with(moves: all)
        }
        let unlimited = demand == nil ? [] : [Run(program: program, moves: moves, demand: nil)]
        return programs + halves + shorter + unlimited + simpler
    }

    private func with(moves: [Move]) -> Run { Run(program: program, moves: moves, demand: demand) }
}

extension Program {
    fileprivate var smaller: [Program] {
        switch self {
        case .subject(let place): place > 0 ? [.subject(0)] : []
        case .list(let values): Self.shorter(values).map(Program.list)
        case .failing(let values): Self.shorter(values).map(Program.failing)
        case .one(let unary, let part):
            [part] + part.smaller.map { .one(unary, $0) } + unary.smaller.map { .one($0, part) }
        case .two(let binary, let one, let two):
            [one, two] + one.smaller.map { .two(binary, $0, two) } + two.smaller.map { .two(binary, one, $0) }
        }
    }

    private static func shorter(_ values: [Int]) -> [[Int]] {
        values.indices.map { Array(values[..<$0] + values[($0 + 1)...]) }
            + values.indices.filter { values[$0] > 0 }.map { index in
                var all = values
                all[index] -= 1
                return all
            }
    }
}

extension Program.Unary {
    fileprivate var smaller: [Self] {
        switch self {
        case .map(let number) where number > 0: [.map(number - 1)]
        case .filter(let number) where number > 0: [.filter(number - 1)]
        case .prefix(let number) where number > 0: [.prefix(number - 1)]
        case .dropFirst(let number) where number > 0: [.dropFirst(number - 1)]
        case .prefixWhile(let number) where number > 0: [.prefixWhile(number - 1)]
        case .dropWhile(let number) where number > 0: [.dropWhile(number - 1)]
        case .replaceError(let number) where number > 0: [.replaceError(number - 1)]
        case .replaceEmpty(let number) where number > 0: [.replaceEmpty(number - 1)]
        case .flatMap(let number) where number > 0: [.flatMap(number - 1)]
        case .oneByOne(let number) where number > 0: [.oneByOne(number - 1)]
        case .latest(let number) where number > 0: [.latest(number - 1)]
        default: []
        }
    }
}
