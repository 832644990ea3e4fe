import Streams

// Operators with one result, which waits for demand.
extension Table {
    @RowBuilder static var folding: [Row] {
        Row.keeping("collect") { up, _ in
            up.collect()
        } model: {
            result($0, $1)
        }
        Row.keeping("count") { up, _ in
            up.count()
        } model: {
            result($0.count, $1)
        }
        Row.keeping("reduce") { up, w in
            up.reduce(10) { w($0 * 3 + $1) }
        } model: { values, end in
            result(values.reduce(10) { $0 * 3 + $1 }, end)
        }
        Row.keeping("min") { up, _ in
            up.min()
        } model: {
            result($0.min(), $1)
        }
        Row.keeping("max") { up, _ in
            up.max()
        } model: {
            result($0.max(), $1)
        }
        Row.keeping("min(by:)") { up, w in
            up.min { w($0 % 2 < $1 % 2) }
        } model: { values, end in
            result(values.min { $0 % 2 < $1 % 2 }, end)
        }
        Row.keeping("max(by:)") { up, w in
            up.max { w($0 % 2 < $1 % 2) }
        } model: { values, end in
            result(values.max { $0 % 2 < $1 % 2 }, end)
        }
        Row.keeping("contains") { up, _ in
            up.contains(2)
        } model: { values, end in
            values.contains(2) ? ([true], .finished) : result(false, end)
        }
        Row.keeping("contains(where:)") { up, w in
            up.contains { w($0 > 1) }
        } model: { values, end in
            values.contains { $0 > 1 } ? ([true], .finished) : result(false, end)
        }
        Row.keeping("allSatisfy") { up, w in
            up.allSatisfy { w($0 < 3) }
        } model: { values, end in
            values.allSatisfy { $0 < 3 } ? result(true, end) : ([false], .finished)
        }
        Row.keeping("last") { up, _ in
            up.last()
        } model: {
            result($0.last, $1)
        }
        Row.keeping("last(where:)") { up, w in
            up.last { w($0 < 3) }
        } model: { values, end in
            result(values.last { $0 < 3 }, end)
        }
    }

    /// The `try` forms of all operators, with closures that throw at 3.
    @RowBuilder static var throwing: [Row] {
        throwingWhilePassing
        throwingWhileFolding
    }

    @RowBuilder private static var throwingWhilePassing: [Row] {
        Row.passing("tryMap") { up, w in
            up.tryMap { try w.not3($0) + 10 }
        } model: { values, end in
            let (values, end) = until3(values, end)
            return (values.map { $0 + 10 }, end)
        }
        Row.passing("tryFilter") { up, w in
            up.tryFilter { try w.not3($0) != 2 }
        } model: { values, end in
            let (values, end) = until3(values, end)
            return (values.filter { $0 != 2 }, end)
        }
        Row.passing("tryCompactMap") { up, w in
            up.tryCompactMap { try w.not3($0) == 1 ? nil : $0 }
        } model: { values, end in
            let (values, end) = until3(values, end)
            return (values.filter { $0 != 1 }, end)
        }
        Row.passing("tryScan") { up, w in
            up.tryScan(10) { try $0 + w.not3($1) }
        } model: { values, end in
            let (values, end) = until3(values, end)
            return (running(values, from: 10), end)
        }
        Row.passing("tryRemoveDuplicates") { up, w in
            up.tryRemoveDuplicates { try w.not3($0) == w.not3($1) }
        } model: { values, end in
            // The first value is not compared.
            guard let place = values.indices.first(where: { $0 > 0 && (values[$0] == 3 || values[$0 - 1] == 3) }) else {
                return (distinct(values, ==), end)
            }
            return (distinct(Array(values[..<place]), ==), .failed(.second))
        }
        Row.passing("tryDrop(while:)") { up, w in
            up.tryDrop { try w.not3($0) < 2 }
        } model: { values, end in
            values.first { $0 >= 2 } == 3 ? ([], .failed(.second)) : (Array(values.drop { $0 < 2 }), end)
        }
        Row.passing("tryPrefix(while:)") { up, w in
            up.tryPrefix { try w.not3($0) < 2 }
        } model: { values, end in
            let stop: End? = values.first { $0 >= 2 }.map { $0 == 3 ? .failed(.second) : .finished }
            return (Array(values.prefix { $0 < 2 }), stop ?? end)
        }
    }

    @RowBuilder private static var throwingWhileFolding: [Row] {
        Row.keeping("tryReduce") { up, w in
            up.tryReduce(10) { try $0 + w.not3($1) }
        } model: { values, end in
            let (values, end) = until3(values, end)
            return result(values.reduce(10, +), end)
        }
        Row.keeping("tryContains(where:)") { up, w in
            up.tryContains { try w.not3($0) == 2 }
        } model: { values, end in
            let (values, end) = until3(values, end)
            return values.contains(2) ? ([true], .finished) : result(false, end)
        }
        Row.keeping("tryAllSatisfy") { up, w in
            up.tryAllSatisfy { try w.not3($0) == 1 }
        } model: { values, end in
            let (values, end) = until3(values, end)
            return values.allSatisfy { $0 == 1 } ? result(true, end) : ([false], .finished)
        }
        Row.keeping("tryLast(where:)") { up, w in
            up.tryLast { try w.not3($0) == 1 }
        } model: { values, end in
            let (values, end) = until3(values, end)
            return result(values.last { $0 == 1 }, end)
        }
        Row.keeping("tryMin(by:)") { up, w in
            up.tryMin { try w.not3($0) < w.not3($1) }
        } model: { values, end in
            values.count > 1 && values.contains(3) ? ([], .failed(.second)) : result(values.min(), end)
        }
        Row.keeping("tryMax(by:)") { up, w in
            up.tryMax { try w.not3($0) < w.not3($1) }
        } model: { values, end in
            values.count > 1 && values.contains(3) ? ([], .failed(.second)) : result(values.max(), end)
        }
    }
}
