import Moonlight
import Streams

extension Program {
    /// Makes lines of the journal available to the view as ``LayoutScreen/notes``, for example why a key had no effect.
    ///
    /// ```swift
    /// program.notes { record in
    ///     if case .rejected(_, let error) = record.step { "\(error)" } else { nil }
    /// }
    /// ```
    /// - Parameters:
    ///   - limit: The number of lines to keep, at least 1. Older ones are dropped.
    ///   - untilChange: True to drop the lines when the state changes; false to show a log.
    ///   - line: The line for a record of the journal; nil for none. The loop calls it, in order.
    public func notes(
        keeping limit: Int = 1, untilChange: Bool = true,
        _ line: @escaping @Sendable (JournalRecord<State, Event, Effect>) -> String?
    ) -> Program {
        precondition(limit > 0, "notes(keeping:) must be at least 1, but is \(limit)")
        var program = self
        program.noting = Noting(limit: limit, untilChange: untilChange, line: line)
        return program
    }

    /// The settings of the notes.
    struct Noting: Sendable {
        let limit: Int
        let untilChange: Bool
        let line: @Sendable (JournalRecord<State, Event, Effect>) -> String?

        func take(_ record: JournalRecord<State, Event, Effect>, _ notes: ProgramNotes) {
            if untilChange, case .effect(_, let before, let after) = record.step, before != after { notes.forget() }
            if let line = line(record) { notes.add(line, keeping: limit) }
        }
    }
}

extension Program {
    /// Adds the line for a record of the journal, if any, to the notes of a run.
    package func note(_ record: JournalRecord<State, Event, Effect>, in notes: ProgramNotes) { noting?.take(record, notes) }
}

/// The lines of one run of a program.
package final class ProgramNotes: Sendable {
    private struct Kept {
        var lines: [String] = []
        var tell: (@Sendable () -> Void)?
    }

    private let kept = Lock(Kept())

    /// No lines.
    package init() {}

    /// The lines, the newest last.
    package var lines: [String] { kept.withLock { $0.lines } }

    /// Sets a function that is called when the lines change, on the thread that changes them.
    func tell(_ tell: @escaping @Sendable () -> Void) { kept.withLock { $0.tell = tell } }

    func add(_ line: String, keeping limit: Int) {
        let tell = kept.withLock { kept in
            kept.lines = (kept.lines + [line]).suffix(limit)
            return kept.tell
        }
        tell?()
    }

    func forget() {
        let tell = kept.withLock { kept -> (@Sendable () -> Void)? in
            if kept.lines.isEmpty { return nil }
            kept.lines = []
            return kept.tell
        }
        tell?()
    }
}
