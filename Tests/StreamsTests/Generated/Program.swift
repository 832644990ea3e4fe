/// A graph of operators over numbers, as a value: it can be dealt, run, modelled, made smaller and printed.
indirect enum Program: Hashable {
    case subject(Int)
    case list([Int])
    case failing([Int])
    case one(Unary, Program)
    case two(Binary, Program, Program)

    enum Unary: Hashable {
        case map(Int), filter(Int), scan, removeDuplicates, prefix(Int), dropFirst(Int), prefixWhile(Int), dropWhile(Int)
        case first, last, count, sum, replaceError(Int), replaceEmpty(Int), retry, flatMap(Int), oneByOne(Int), latest(Int)
        case buffer, ignoreOutput
    }

    enum Binary: Hashable, CaseIterable {
        case merge, zip, combineLatest, append, catching, prefixUntil, dropUntil, withLatest, flatMapTo, switchTo
    }

    var parts: [Program] {
        switch self {
        case .subject, .list, .failing: []
        case .one(_, let part): [part]
        case .two(_, let one, let two): [one, two]
        }
    }

    var size: Int { parts.reduce(1) { $0 + $1.size } }
}

/// What happens from outside, one after the other.
enum Move: Hashable {
    case send(Int, to: Int)
    case finish(Int)
    case fail(Int)
    case request(Int)
    case cancel
}

/// A program, what is done with it, and how much is asked for at first; nil for everything.
struct Run: Hashable {
    var program: Program
    var moves: [Move]
    var demand: Int?
}

/// What a subscriber gets.
enum Seen: Hashable, CustomStringConvertible {
    case value(Int)
    case finished
    case failed

    var isEnd: Bool { if case .value = self { false } else { true } }
    var description: String {
        switch self {
        case .value(let value): "\(value)"
        case .finished: "end"
        case .failed: "failure"
        }
    }
}

/// The subjects of a program.
let subjectCount = 2
