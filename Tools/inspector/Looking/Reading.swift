import MoonlightRecording

/// A text to be read: a plan, a story, or a value as a whole.
package struct Reading: Equatable, Sendable {
    /// What is to be read.
    package enum Question: Equatable, Sendable {
        /// The recording up to a step, for readers who do not write Swift.
        case story(Steps, to: Int)
        /// The source of a test that does again what was recorded up to a step.
        case plan(Steps, to: Int)
    }

    package var title: String
    package var lines: [String]
    /// The first line that can be seen.
    package var top = 0

    package init(title: String, lines: [String]) {
        self.title = title
        self.lines = lines
    }

    /// Writes the text.
    package init(_ question: Question) throws(RecordingError) {
        switch question {
        case .story(let steps, let number):
            self.init(title: "the story up to step \(number)", text: try Script(steps.reader, to: number).story(steps.reader))
        case .plan(let steps, let number):
            let source = try Script.planSource(steps.reader, to: number, reducer: nil, environment: nil, feedback: nil)
            self.init(title: "a plan up to step \(number)", text: source)
        }
    }

    private init(title: String, text: String) {
        self.init(title: title, lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    /// The number of characters of one value that are shown.
    private static let longest = 100_000

    /// Values as a whole.
    ///
    /// - Parameters:
    ///   - title: What they are.
    ///   - values: The values, with what stands before each; nil for a value that is not there.
    init(title: String, values: [(label: String, value: StateTree?)]) {
        var lines: [String] = []
        for (label, value) in values {
            if !lines.isEmpty { lines.append("") }
            if !label.isEmpty { lines.append(label) }
            lines.append(value?.summary(limit: Self.longest) ?? "nothing")
        }
        self.init(title: title, lines: lines)
    }
}
