import Streams

// Operators that transform each value.
extension Table {
    @RowBuilder static var passing: [Row] {
        Row.linking("map") { up, w in
            up.map { w($0 + 10) }
        } model: {
            ($0.map { $0 + 10 }, $1)
        }
        Row.linking("filter") { up, w in
            up.filter { w($0 != 2) }
        } model: {
            ($0.filter { $0 != 2 }, $1)
        }
        Row.linking("compactMap") { up, w in
            up.compactMap { w($0 == 1 ? nil : $0 * 2) }
        } model: {
            ($0.compactMap { $0 == 1 ? nil : $0 * 2 }, $1)
        }
        Row.linking("scan") { up, w in
            up.scan(10) { w($0 + $1) }
        } model: {
            (running($0, from: 10), $1)
        }
        Row.linking("removeDuplicates") { up, _ in
            up.removeDuplicates()
        } model: {
            (distinct($0, ==), $1)
        }
        Row.linking("removeDuplicates(by:)") { up, w in
            up.removeDuplicates { w($0 <= $1) }
        } model: {
            (distinct($0, <=), $1)
        }
        Row.linking("handleEvents") { up, w in
            up.handleEvents(
                receiveSubscription: { _ in w(()) }, receiveOutput: { _ in w(()) }, receiveCompletion: { _ in w(()) },
                receiveCancel: { w(()) }, receiveRequest: { _ in w(()) })
        } model: {
            ($0, $1)
        }
        Row.linking("print") { up, _ in
            up.print("", to: Silence())
        } model: {
            ($0, $1)
        }
        Row.linking("eraseToAnyPublisher") { up, _ in
            up.eraseToAnyPublisher()
        } model: {
            ($0, $1)
        }
        Row.linking("Deferred") { up, w in
            Deferred { w(up) }
        } model: {
            ($0, $1)
        }
    }

    @RowBuilder static var selecting: [Row] {
        Row.passing("map(keyPath)") { up, _ in
            up.map(\.magnitude)
        } model: {
            ($0.map(\.magnitude), $1)
        }
        Row.linking("map(two key paths)") { up, _ in
            up.map(\.bitWidth, \.self).map { $0 + $1 }
        } model: {
            ($0.map { $0 + Int.bitWidth }, $1)
        }
        Row.linking("map(three key paths)") { up, _ in
            up.map(\.bitWidth, \.self, \.self).map { $0 + $1 * $2 }
        } model: {
            ($0.map { $0 * $0 + Int.bitWidth }, $1)
        }
        Row.linking("mapTo") { up, _ in
            up.mapTo(5)
        } model: {
            ($0.map { _ in 5 }, $1)
        }
        Row.linking("replaceNil") { up, w in
            up.map { w($0 == 2 ? nil : $0) }.replaceNil(with: 7)
        } model: {
            ($0.map { $0 == 2 ? 7 : $0 }, $1)
        }
        Row.passing("ignoreOutput", asks: .everything) { up, _ in
            up.ignoreOutput()
        } model: {
            ([], $1)
        }
        Row("replaceEmpty", asks: .same, isStrict: true) { up, _ in
            up[0].replaceEmpty(with: 7)
        } model: { history in
            history.values.isEmpty && history.end == .finished
                ? .kept([7], .finished) : .passing(history.values, history.end)
        }
        Row.passing(
            "collect(2)", asks: .exactly { history, _, open in open * 2 - history.values.count % 2 }
        ) { up, _ in
            up.collect(2)
        } model: { values, end in
            let arrays = stride(from: 0, to: values.count, by: 2).map { Array(values[$0..<min($0 + 2, values.count)]) }
            return (arrays.filter { $0.count == 2 || end == .finished }, end)
        }
    }
}
