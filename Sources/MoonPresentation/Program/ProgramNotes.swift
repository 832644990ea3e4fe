import Moonlight
import Streams

extension Program {
    /// Keeps lines about what the loop does, which the state does not tell, for the view: ``LayoutScreen/notes``.
    ///
    /// ```swift
    /// program.notes { record in
    ///     if case .rejected(_, let error) = record.step { "\(error)" } else { nil }
    /// }
    /// ```
    /// Here the view can say why a key did nothing. With `untilChange: false` it shows the journal of what has happened so far.
    ///
    /// - Parameters:
    ///   - limit: How many lines are kept, the newest ones; at least 1.
    ///   - untilChange: Whether the lines are forgotten as soon as the state changes.
    ///   - line: The line for a record of the journal; nil for none. The loop calls it, in order.
    public func notes(
        keeping limit: Int = 1, untilChange: Bool = true,
        _ line: @escaping @Sendable (JournalRecord<State, Event, Effect>) -> String?
    ) -> Program {
        precondition(limit > 0, "notes(keeping:) needs room for a line: pass at least 1")
        var program = self
        program.noting = Noting(limit: limit, untilChange: untilChange, line: line)
        return program
    }

    /// Which lines are kept.
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

/// The lines of one run of a program.
final class ProgramNotes: Sendable {
    private struct Kept {
        var lines: [String] = []
        var tell: (@Sendable () -> Void)?
    }

    private let kept = Lock(Kept())

    /// The lines, the newest last.
    var lines: [String] { kept.withLock { $0.lines } }

    /// Has a function called when the lines have changed, on the thread that changes them.
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
