/// A possible next step.
///
/// Choices are numbered in the order in which their node offers them, so that a list of them identifies a trace.
enum Choice: Hashable, Sendable {
    /// An event arrives from outside: its number among the possible events.
    case event(Int)
    /// An open call receives an outcome: the number of the call among the open ones, and of the outcome among those of the
    /// call.
    case answer(call: Int, outcome: Int)
    /// Time advances to the next timer.
    case time
    /// The events are handled that follow from the choices before, and wait.
    case followUps
    /// A live effect is cancelled: its number among the live effects.
    case cancel(Int)
    /// The loop is cancelled.
    case end
    /// A choice is made, and the events that follow from it wait, so that others may come before them. Of ``followUps``, only the
    /// first event is handled.
    indirect case held(Choice)

    /// The choice as a number; nil if its numbers are too large.
    var packed: UInt32? {
        switch self {
        case .event(let number): number < 1 << 28 ? UInt32(number) : nil
        case .answer(let call, let outcome):
            call < 1 << 13 && outcome < 1 << 15 ? 1 << 29 | UInt32(call) << 15 | UInt32(outcome) : nil
        case .cancel(let effect): effect < 1 << 28 ? 2 << 29 | UInt32(effect) : nil
        case .time: 3 << 29
        case .end: 4 << 29
        case .followUps: 5 << 29
        case .held(let choice): choice.packed.map { $0 | Self.held }
        }
    }

    /// The bit of a choice that is held.
    private static var held: UInt32 { 1 << 28 }

    /// A placeholder for a choice that is made before its node is due.
    static var ahead: UInt32 { .max - 1 }

    /// Creates a choice from its number.
    init(packed: UInt32) {
        if packed & Self.held != 0 {
            self = .held(Choice(packed: packed & ~Self.held))
            return
        }
        let number = Int(packed & (Self.held - 1))
        switch packed >> 29 {
        case 0: self = .event(number)
        case 1: self = .answer(call: number >> 15, outcome: number & (1 << 15 - 1))
        case 2: self = .cancel(number)
        case 3: self = .time
        case 5: self = .followUps
        default: self = .end
        }
    }

    /// True if the events that follow from the choice wait.
    var isHeld: Bool { self != plain }

    /// The choice, not held.
    var plain: Choice { if case .held(let choice) = self { choice } else { self } }

    /// True for a choice from outside, which may never be made.
    var isFromOutside: Bool {
        switch self {
        case .event, .cancel, .end: true
        case .answer, .time, .followUps: false
        case .held(let choice): choice.isFromOutside
        }
    }
}

extension Sequence<Choice> {
    /// The short names of the choices, for `replay(_:)`.
    var name: String { map(\.description).joined(separator: " ") }
}

extension Choice: CustomStringConvertible {
    /// A short name: `e1`, `a0.2`, `t`, `f`, `c0` or `x`; `h` before it if the choice is held.
    var description: String {
        switch self {
        case .event(let number): "e\(number)"
        case .answer(let call, let outcome): "a\(call).\(outcome)"
        case .time: "t"
        case .cancel(let effect): "c\(effect)"
        case .end: "x"
        case .followUps: "f"
        case .held(let choice): "h\(choice)"
        }
    }

    /// Creates a choice from its short name; nil if the name is invalid.
    init?(_ name: Substring) {
        if name.first == "h" {
            guard let choice = Choice(name.dropFirst()), !choice.isHeld else { return nil }
            self = .held(choice)
            return
        }
        if let plain = [Choice.time, .end, .followUps].first(where: { $0.description == name }) {
            self = plain
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
