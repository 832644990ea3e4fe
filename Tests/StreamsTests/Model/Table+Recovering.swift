import Streams

// Operators that handle failures, and values without demand.
extension Table {
    @RowBuilder static var recovering: [Row] {
        Row.linking("mapError") { up, w in
            up.mapError { w($0 == .first ? Oops.second : .first) }
        } model: {
            ($0, $1 == .failed(.first) ? .failed(.second) : $1 == .failed(.second) ? .failed(.first) : $1)
        }
        Row("replaceError", asks: .same, isStrict: true) { up, _ in
            up[0].replaceError(with: 7)
        } model: {
            replacing($0, with: [7])
        }
        Row("setFailureType", asks: .same, isStrict: true) { up, _ in
            up[0].replaceError(with: 7).setFailureType(to: Oops.self)
        } model: {
            replacing($0, with: [7])
        }
        Row("catch", asks: .same, isStrict: true) { up, w in
            up[0].catch { _ in w(OperatorCase.sequence([7, 8])) }
        } model: {
            replacing($0, with: [7, 8])
        }
        Row("catch with an upstream", upstreams: 2, asks: .same, isStrict: true) { up, w in
            up[0].catch { _ in w(up[1]) }
        } model: { history in
            let end = history.end == .failed(.first) ? history.end(of: 1) : history.end
            return .passing(history.values + history.values(of: 1), end)
        }
        Row("tryCatch", asks: .same, isStrict: true) { up, w in
            up[0].tryCatch { if w($0) == .first { throw Oops.second } else { OperatorCase.sequence([7]) } }
        } model: {
            .passing($0.values, $0.end == .failed(.first) ? .failed(.second) : $0.end)
        }
        Row("retry(0)", asks: .same, isStrict: true) { up, _ in
            up[0].retry(0)
        } model: {
            .passing($0.values, $0.end)
        }
        Row("retry(1)", asks: .same, isStrict: true) { up, _ in
            up[0].retry(1)
        } model: {
            retried($0, 1)
        }
        Row("retry(2)", asks: .same, isStrict: true) { up, _ in
            up[0].retry(2)
        } model: {
            retried($0, 2)
        }
    }

    @RowBuilder static var buffering: [Row] {
        Row("buffer(2, by request, drop newest)", asks: .everything) { up, _ in
            up[0].buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
        } model: {
            buffered($0, 2) { _, _, _ in nil }
        }
        Row("buffer(2, by request, drop oldest)", asks: .everything) { up, _ in
            up[0].buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
        } model: {
            buffered($0, 2) { kept, value, seen in
                kept.remove(at: seen)
                kept.append(value)
                return nil
            }
        }
        Row("buffer(0, by request, drop oldest)", asks: .everything) { up, _ in
            up[0].buffer(size: 0, prefetch: .byRequest, whenFull: .dropOldest)
        } model: {
            buffered($0, 0) { _, _, _ in nil }
        }
        Row("buffer(1, by request, error)", asks: .everything) { up, w in
            up[0].buffer(size: 1, prefetch: .byRequest, whenFull: .customError { w(.second) })
        } model: {
            buffered($0, 1) { _, _, _ in .failed(.second) }
        }
        Row("buffer(0, by request, error)", asks: .everything) { up, w in
            up[0].buffer(size: 0, prefetch: .byRequest, whenFull: .customError { w(.second) })
        } model: {
            buffered($0, 0) { _, _, _ in .failed(.second) }
        }
        Row("buffer(2, keep full, drop newest)", asks: .enough) { up, _ in
            up[0].buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
        } model: {
            buffered($0, 2) { _, _, _ in nil }
        }
    }
}

/// The values, and replacements of a failure, which wait for demand.
private func replacing(_ history: History, with values: [Int]) -> Due<Int> {
    if case .failed = history.end {
        return Due(values: history.values + values, end: .finished, passing: history.values.count)
    }
    return .passing(history.values, history.end)
}

/// The values of a number of further attempts; only the failure of the last is passed on.
private func retried(_ history: History, _ retries: Int) -> Due<Int> {
    var (values, failures): ([Int], Int) = ([], 0)
    for input in history.inputs {
        switch input.event {
        case .value(let value): values.append(value)
        case .end(.finished): return .passing(values, .finished)
        case .end(.failed(let error)):
            failures += 1
            if failures > retries { return .passing(values, .failed(error)) }
        }
    }
    return .passing(values, nil)
}

/// The values, of which a limited number wait; another one overflows, and may fail.
private func buffered(
    _ history: History, _ size: Int, overflow: (_ kept: inout [Int], _ value: Int, _ seen: Int) -> End?
) -> Due<Int> {
    var kept: [Int] = []
    for input in history.inputs {
        switch input.event {
        case .value(let value):
            let isFull = input.open < .everything && kept.count - input.seen >= size + input.open
            if !isFull {
                kept.append(value)
            } else if let failure = overflow(&kept, value, input.seen) {
                return Due(values: kept, end: failure, passing: 0, isPatient: true)
            }
        case .end(let end): return .kept(kept, end)
        }
    }
    return .kept(kept, nil)
}
