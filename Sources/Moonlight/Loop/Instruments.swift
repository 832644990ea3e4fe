import Streams

/// The optional parts of a loop: its journal, the bound and the folding of its mailbox, the limit of its steps.
@usableFromInline
final class Instruments<State: Equatable, Event, Effect>: @unchecked Sendable {
    // Sound: the inbox guards itself; what changes is only touched by the owner of the loop's mailbox.
    @usableFromInline let inbox: Inbox<Event>?
    let onRunaway: ((Runaway) -> Void)?
    private let stepLimit: Int?
    @usableFromInline private(set) var journal: ((JournalRecord<State, Event, Effect>) -> Void)?
    private var records = 0
    private var steps = 0
    private var names: [String] = []

    init(_ options: LoopOptions<State, Event, Effect>) {
        journal = options.journal
        stepLimit = options.stepLimit
        onRunaway = options.onRunaway
        inbox = options.inbox == .unbounded && options.coalesce == nil ? nil : Inbox(options.inbox, options.coalesce)
    }

    /// The instruments for some options; nil if all is off.
    @usableFromInline
    static func make(_ options: LoopOptions<State, Event, Effect>) -> Instruments? {
        options.isPlain ? nil : Instruments(options)
    }

    @usableFromInline
    func write(_ step: JournalRecord<State, Event, Effect>.Step, cause: Int?) -> Int {
        records += 1
        journal?(JournalRecord(number: records, cause: cause, step: step))
        return records
    }

    /// Lets go of everything.
    @usableFromInline
    func end() {
        journal = nil
        inbox?.close()
    }

    // MARK: Steps

    /// The loop was idle: what happens now has come from outside.
    @usableFromInline
    func beginRun() { steps = 0 }

    /// Counts an event.
    ///
    /// - Returns: A report each time the limit is reached: then the names of the next events are kept until it is clear which
    ///   of them repeat.
    func count(_ event: Event, isFromOutside: Bool) -> Runaway? {
        guard let stepLimit else { return nil }
        if isFromOutside { steps = 0 }
        steps += 1
        let past = steps % stepLimit
        if steps < stepLimit || past >= Self.memory { return nil }
        if past == 0 { names = [] }
        names.append(Self.name(of: event))
        let isLast = past == min(Self.memory, stepLimit) - 1
        return isLast ? Runaway(steps: steps, chain: Self.period(of: names)) : nil
    }

    private static var memory: Int { 64 }

    /// The name of a case, without what it carries.
    private static func name(of event: Event) -> String {
        let mirror = Mirror(reflecting: event)
        if mirror.displayStyle == .enum, let label = mirror.children.first?.label { return label }
        return String(String(describing: event).prefix { $0 != "(" })
    }

    /// The shortest beginning of which a list is a repetition.
    private static func period(of names: [String]) -> [String] {
        for length in 1..<max(names.count, 2) where names.indices.allSatisfy({ names[$0] == names[$0 % length] }) {
            return Array(names.prefix(length))
        }
        return names
    }
}

/// A loop that keeps itself busy without anything from outside: most likely two rules that answer each other.
public struct Runaway: Sendable, Hashable {
    /// How many events have followed each other.
    public let steps: Int
    /// The names of the events that repeat, in order.
    public let chain: [String]
}
