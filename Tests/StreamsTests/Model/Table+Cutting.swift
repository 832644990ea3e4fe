import Streams

// Operators that send a part of the values.
extension Table {
    @RowBuilder static var cutting: [Row] {
        Row.linking("prefix(0)") { up, _ in
            up.prefix(0)
        } model: {
            cut($0, $1, 0..<0)
        }
        Row.linking("prefix(2)") { up, _ in
            up.prefix(2)
        } model: {
            cut($0, $1, 0..<2)
        }
        Row.linking("output(at: 1)") { up, _ in
            up.output(at: 1)
        } model: {
            cut($0, $1, 1..<2)
        }
        Row.linking("output(in: 1..<3)") { up, _ in
            up.output(in: 1..<3)
        } model: {
            cut($0, $1, 1..<3)
        }
        Row.linking("output(in: 1...)") { up, _ in
            up.output(in: 1...)
        } model: {
            cut($0, $1, 1..<Int.max)
        }
        Row.keeping("first") { up, _ in
            up.first()
        } model: {
            cut($0, $1, 0..<1)
        }
        Row.keeping("first(where:)") { up, w in
            up.first { w($0 > 1) }
        } model: {
            cut($0.filter { $0 > 1 }, $1, 0..<1)
        }
        Row.keeping("tryFirst(where:)") { up, w in
            up.tryFirst { if $0 == 3 { throw Oops.second } else { w($0 > 1) } }
        } model: { values, end in
            switch values.first(where: { $0 > 1 }) {
            case 3?: ([], .failed(.second))
            case let value?: ([value], .finished)
            case nil: ([], end)
            }
        }
    }

    @RowBuilder static var dropping: [Row] {
        Row.linking("dropFirst(0)") { up, _ in
            up.dropFirst(0)
        } model: {
            ($0, $1)
        }
        Row.linking("dropFirst(2)", asks: .exactly { history, _, open in open + max(0, 2 - history.values.count) }) {
            up, _ in
            up.dropFirst(2)
        } model: {
            (Array($0.dropFirst(2)), $1)
        }
        Row.linking("drop(while:)") { up, w in
            up.drop { w($0 < 2) }
        } model: {
            (Array($0.drop { $0 < 2 }), $1)
        }
        Row.linking("prefix(while:)") { up, w in
            up.prefix { w($0 < 3) }
        } model: { values, end in
            (Array(values.prefix { $0 < 3 }), values.contains { $0 >= 3 } ? .finished : end)
        }
    }
}
