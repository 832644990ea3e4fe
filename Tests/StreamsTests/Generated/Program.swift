/// A graph of operators over numbers, as a value: it can be generated, run, modelled, shrunk and printed.
indirect enum Program: Hashable {
    case subject(Int)
    case list([Int])
    case failing([Int])
    case one(Unary, Program)
    case two(Binary, Program, Program)

    enum Unary: Hashable {
        case map(Int)
        case filter(Int)
        case scan
        case removeDuplicates
        case prefix(Int)
        case dropFirst(Int)
        case prefixWhile(Int)
        case dropWhile(Int)
        case first
        case last
        case count
        case sum
        case replaceError(Int)
        case replaceEmpty(Int)
        case retry
        case flatMap(Int)
        case oneByOne(Int)
        case latest(Int)
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

    /// Indicates whether its values do not depend on the demand, which the model ignores.
    ///
    /// An operator that joins values in rows requests only its own demand of each part, a part with ready values sends and ends
    /// only on request, and `drop(untilOutputFrom:)` does not make up for dropped values. So the parts of a row must be subjects,
    /// and an operator that requests single values must contain neither rows nor gates.
    var isModelled: Bool {
        switch self {
        case .two(let binary, let one, let two):
            let rows = binary == .zip || binary == .combineLatest
            if rows, one.contains(where: \.isReady) || two.contains(where: \.isReady) { return false }
            if binary == .prefixUntil || binary == .dropUntil, two.contains(where: \.isRow) { return false }
        case .one(.oneByOne, let part): if part.contains(where: \.isRow) { return false }
        default: break
        }
        return parts.allSatisfy(\.isModelled)
    }

    private var isReady: Bool {
        switch self {
        case .list, .failing: true
        default: false
        }
    }

    private var isRow: Bool {
        switch self {
        case .two(.zip, _, _), .two(.combineLatest, _, _), .two(.dropUntil, _, _): true
        default: false
        }
    }

    private func contains(where condition: (Program) -> Bool) -> Bool {
        condition(self) || parts.contains { $0.contains(where: condition) }
    }

    var size: Int { parts.reduce(1) { $0 + $1.size } }
}

/// Actions from outside, in order.
enum Move: Hashable {
    case send(Int, to: Int)
    case finish(Int)
    case fail(Int)
    case request(Int)
    case cancel
}

/// A program, the actions on it, and the initial demand; nil for unlimited.
struct Run: Hashable {
    var program: Program
    var moves: [Move]
    var demand: Int?
}

/// An event of a subscriber.
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
