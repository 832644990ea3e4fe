/// One thing that can happen next.
///
/// Choices are numbered as they are offered at their node, so that a list of them says how to get anywhere.
enum Choice: Hashable, Sendable {
    /// An event comes from outside: the number of the event among those that can come.
    case event(Int)
    /// A call that is open gets an outcome: the number of the call among the open ones, and of the outcome among those of the
    /// call.
    case answer(call: Int, outcome: Int)
    /// Time goes on to the next timer.
    case time
    /// A live effect is cancelled: its number among the live ones.
    case cancel(Int)
    /// The loop is cancelled.
    case end

    /// The choice as a number; nil if it has too many calls or outcomes to be one.
    var packed: UInt32? {
        switch self {
        case .event(let number): number < 1 << 29 ? UInt32(number) : nil
        case .answer(let call, let outcome):
            call < 1 << 14 && outcome < 1 << 15 ? 1 << 29 | UInt32(call) << 15 | UInt32(outcome) : nil
        case .cancel(let effect): effect < 1 << 29 ? 2 << 29 | UInt32(effect) : nil
        case .time: 3 << 29
        case .end: 4 << 29
        }
    }

    /// What stands for the number of a choice that is made before the turn of its node.
    static var ahead: UInt32 { .max - 1 }

    /// Creates a choice from its number.
    init(packed: UInt32) {
        let number = Int(packed & (1 << 29 - 1))
        switch packed >> 29 {
        case 0: self = .event(number)
        case 1: self = .answer(call: number >> 15, outcome: number & (1 << 15 - 1))
        case 2: self = .cancel(number)
        case 3: self = .time
        default: self = .end
        }
    }

    /// Whether this comes from outside, so that nothing says that it will ever happen.
    var isFromOutside: Bool {
        switch self {
        case .event, .cancel, .end: true
        case .answer, .time: false
        }
    }
}

extension Sequence<Choice> {
    /// The short names of the choices, for `replay(_:)`.
    var name: String { map(\.description).joined(separator: " ") }
}

extension Choice: CustomStringConvertible {
    /// A short name: `e1`, `a0.2`, `t`, `c0` or `x`.
    var description: String {
        switch self {
        case .event(let number): "e\(number)"
        case .answer(let call, let outcome): "a\(call).\(outcome)"
        case .time: "t"
        case .cancel(let effect): "c\(effect)"
        case .end: "x"
        }
    }

    /// Creates a choice from its short name; nil if there is none of that name.
    init?(_ name: Substring) {
        if name == "t" || name == "x" {
            self = name == "t" ? .time : .end
            return
        }
        let numbers = name.dropFirst().split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        switch (name.first, numbers.count) {
        case ("e", 1): if let event = numbers[0], event >= 0 { self = .event(event) } else { return nil }
        case ("c", 1): if let effect = numbers[0], effect >= 0 { self = .cancel(effect) } else { return nil }
        case ("a", 2):
            guard let call = numbers[0], let outcome = numbers[1], call >= 0, outcome >= 0 else { return nil }
            self = .answer(call: call, outcome: outcome)
        default: return nil
        }
    }
}
