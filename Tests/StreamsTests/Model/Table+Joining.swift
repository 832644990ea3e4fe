import Streams

// Operators with several upstreams, and publishers of values.
extension Table {
    @RowBuilder static var joining: [Row] {
        Row("append values", asks: .same) { up, _ in
            up[0].append(7, 8)
        } model: { history in
            let values = history.wanted.values
            return Due(
                values: values + (history.end == .finished ? [7, 8] : []), end: history.end, passing: values.count)
        }
        Row("prepend values", asks: .same) { up, _ in
            up[0].prepend(7, 8)
        } model: { history in
            let values = history.wanted.values
            return Due(values: [7, 8] + values, end: history.end, passing: values.isEmpty ? 0 : values.count + 2)
        }
        Row("append a publisher", upstreams: 2, asks: .same) { up, _ in
            up[0].append(up[1])
        } model: { history in
            let end = history.end == .finished ? history.end(of: 1) : history.end
            return .passing(history.wanted.values + history.wanted.values(of: 1), end)
        }
        Row("merge", upstreams: 2, asks: .each) { up, _ in
            up[0].merge(with: up[1])
        } model: {
            merged($0)
        }
        Row("MergeMany", upstreams: 2, asks: .each) { up, _ in
            Publishers.MergeMany(up)
        } model: {
            merged($0)
        }
        Row("merge of different types", upstreams: 2, asks: .each) { up, w in
            up[0].map { w($0) }.merge(with: up[1].filter { w($0 > 0) })
        } model: {
            merged($0)
        }
    }

    @RowBuilder static var flattening: [Row] {
        Row.keeping("flatMap to Just", asks: .each) { up, w in
            up.flatMap { Just(w($0 + 10)).orOops }
        } model: {
            ($0.map { $0 + 10 }, $1)
        }
        Row("flatMap to sequences", asks: .each, isAnyOrder: true) { up, w in
            up[0].flatMap { OperatorCase.sequence(Array(repeating: w($0), count: $0 - 1)) }
        } model: { log in
            .kept(log.values.flatMap { Array(repeating: $0, count: $0 - 1) }, log.end)
        }
        Row.keeping("flatMap, one at a time", asks: .enough) { up, w in
            up.flatMap(maxPublishers: .max(1)) { OperatorCase.sequence([w($0)]) }
        } model: {
            ($0, $1)
        }
        Row.keeping("flatMap to Empty or Fail", asks: .each) { up, w in
            up.flatMap {
                w($0) == 3 ? Fail(error: Oops.second).eraseToAnyPublisher() : Empty<Int, Oops>().eraseToAnyPublisher()
            }
        } model: {
            ([Int](), $0.contains(3) ? .failed(.second) : $1)
        }
        Row("flatMap to an upstream", upstreams: 2, asks: .enough) { up, w in
            up[0].first().flatMap { _ in w(up[1]) }
        } model: { log in
            let isStarted = !log.values.isEmpty
            return .kept(log.values(of: 1), isStarted ? log.end(of: 1) : log.end)
        }
    }
}
