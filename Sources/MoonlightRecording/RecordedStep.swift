import Moonlight

/// A step of a recording.
public struct RecordedStep: Sendable, Hashable, CustomStringConvertible {
    /// A change of a part of the state.
    public struct Change: Sendable, Hashable, CustomStringConvertible {
        /// The path to the part, such as `user.name` or `lines[2]`; empty for the whole state.
        public let path: String
        /// The old value in Swift; nil if there was none.
        public let before: String?
        /// The new value in Swift; nil if there is none.
        public let after: String?

        /// The path and both values on one line: `count: 1 → 2`.
        public var description: String {
            "\(path.isEmpty ? "" : "\(path): ")\(before ?? "nothing") → \(after ?? "nothing")".escapingControls
        }
    }

    /// The number of the step; the first step of a recording has number 1.
    public let number: Int
    /// The kind of the step.
    public let kind: StepKind
    /// The number of the step that caused it, or of the call that it answers; nil if it came from outside, or if the cause is not
    /// kept.
    public let cause: Int?
    /// True if it came from outside.
    package let isFromOutside: Bool
    /// The time since the recording began.
    public let time: Duration
    /// The path of the child that it belongs to; empty for the root.
    public let child: String
    /// The description of the step: the event, the effect, the call or the answer.
    public let text: String
    /// The changes of the state.
    public let changes: [Change]

    init(_ record: StepRecord, before: StateTree?) {
        number = record.number
        kind = record.kind
        cause = record.origin == 0 ? nil : record.origin
        isFromOutside = record.cause == nil
        time = .nanoseconds(record.time)
        child = record.child
        text = record.text
        changes = Self.changes(record.changes, before: before)
    }

    /// Returns changes with the previous values.
    package static func changes(_ changes: [TreeChange], before: StateTree?) -> [Change] {
        changes.map { change in
            Change(
                path: before.map { change.title(in: $0) } ?? change.path.joined(separator: "."),
                before: before?[change.path]?.source, after: change.value?.source)
        }
    }

    /// The step on one line: its number, its cause, and its description.
    ///
    ///     4 <- 3  effect added(1): count: 0 → 1
    public var description: String {
        let list = changes.map(\.description).joined(separator: ", ")
        let what = "\(kind) \(text)\(list.isEmpty ? "" : ": \(list)")"
        return "\(number)\(cause.map { " <- \($0)" } ?? "")  \(what.escapingControls)"
    }
}
