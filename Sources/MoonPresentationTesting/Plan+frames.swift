import MoonPresentation
import Moonlight
import MoonlightTesting

extension Plan where State: Sendable, Event: Sendable {
    /// Checks the current frame.
    ///
    /// ```swift
    /// .frame("the list is empty") { try $0.compare(to: "an empty list") }
    /// ```
    ///
    /// - Parameters:
    ///   - title: The description of the step, after "Then".
    ///   - check: Throws to fail the plan, as `Canvas.compare(to:beside:)` does. It may also call the checks of a test framework.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func frame(
        _ title: String = "the frame is correct",
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ check: @escaping (Canvas) throws -> Void
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return checking("Then \(title)", at: place) { stage in
            // A copy, because a check changes nothing.
            var planned = try PlannedScreen<State, Event>(in: stage)
            try check(try planned.frame(of: stage.state))
        }
    }

    /// Checks the text of the current frame, without styles.
    ///
    /// ```swift
    /// .looks(like: """
    ///     > milk
    ///       bread
    ///     buy
    ///     """)
    /// ```
    ///
    /// - Parameters:
    ///   - text: The rows of the frame. Trailing blanks and empty rows at the end are ignored.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func looks(
        like text: String,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        frame("the frame shows \(text.debugDescription)", fileID: fileID, file: file, line: line, column: column) { frame in
            let rows = (0..<frame.size.rows).map(frame.rowText)
            let expected = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                String(line.reversed().drop { $0 == " " }.reversed())
            }
            var lines: [String] = []
            for row in 0..<max(rows.count, expected.count) {
                let (wanted, shown) = (row < expected.count ? expected[row] : "", row < rows.count ? rows[row] : "")
                if wanted != shown { lines.append("row \(row): expected |\(wanted)|, but it is |\(shown)|") }
            }
            guard lines.isEmpty else { throw PlanFault(lines.joined(separator: "\n")) }
        }
    }

    /// Checks whether a key or the state has ended the program.
    ///
    /// - Parameters:
    ///   - isExpected: True if the program should have ended.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    public func hasEnded(
        _ isExpected: Bool = true,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> Self {
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        return checking("Then the program \(isExpected ? "has ended" : "continues")", at: place) { stage in
            let isOver = try PlannedScreen<State, Event>(in: stage).isOver(in: stage.state)
            guard isOver != isExpected else { return }
            throw PlanFault(isOver ? "the program has ended" : "the program has not ended")
        }
    }
}
