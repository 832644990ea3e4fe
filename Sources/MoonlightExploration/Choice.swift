/// One thing that can happen next.
///
/// Choices are numbered as they are offered at their moment, so that a list of them says how to get anywhere.
enum Choice: Hashable, Sendable {
    /// An event comes from outside: the number of the event among those that can come.
    case event(Int)
    /// A call that is open gets an outcome: the number of the call among the open ones, and of the outcome among those of the
    /// call.
    case answer(call: Int, outcome: Int)
    /// Time goes on to the next timer.
    case time

    /// Whether this comes from outside, so that nothing says that it will ever happen.
    var isFromOutside: Bool { if case .event = self { true } else { false } }
}

extension Choice: CustomStringConvertible {
    /// A short name: `e1`, `a0.2` or `t`.
    var description: String {
        switch self {
        case .event(let number): "e\(number)"
        case .answer(let call, let outcome): "a\(call).\(outcome)"
        case .time: "t"
        }
    }

    /// Creates a choice from its short name; nil if there is none of that name.
    init?(_ name: Substring) {
        if name == "t" {
            self = .time
            return
        }
        let numbers = name.dropFirst().split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        switch (name.first, numbers.count) {
        case ("e", 1): if let event = numbers[0], event >= 0 { self = .event(event) } else { return nil }
        case ("a", 2):
            guard let call = numbers[0], let outcome = numbers[1], call >= 0, outcome >= 0 else { return nil }
            self = .answer(call: call, outcome: outcome)
        default: return nil
        }
    }
}
