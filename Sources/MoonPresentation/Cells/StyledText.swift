/// Text whose parts may look different.
///
/// ```swift
/// let line = StyledText("warning: ", .bold) + "the disk is nearly full"
/// ```
public struct StyledText: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Text of one style.
    package struct Run: Hashable, Sendable {
        /// The text.
        package fileprivate(set) var text: String
        /// How it looks.
        package let style: Style

        /// Creates a run.
        package init(text: String, style: Style) {
            self.text = text
            self.style = style
        }
    }

    /// The parts, in order. None is empty, and neighbors have different styles.
    package private(set) var runs: [Run]

    /// No text.
    public init() { runs = [] }

    /// Text of one style.
    public init(_ text: some StringProtocol, _ style: Style = .plain) {
        runs = text.isEmpty ? [] : [Run(text: String(text), style: style)]
    }

    /// Plain text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text without its styles.
    public var string: String { runs.count == 1 ? runs[0].text : runs.reduce(into: "") { $0 += $1.text } }
    /// Indicates whether it has no text.
    public var isEmpty: Bool { runs.isEmpty }
    /// The cells that it takes in a row; each run by itself. See ``Swift/StringProtocol/columns``.
    public var columns: Int { runs.reduce(0) { $0 + $1.text.columns } }

    /// Adds text of one style.
    public mutating func append(_ text: some StringProtocol, _ style: Style = .plain) {
        guard !text.isEmpty else { return }
        if let last = runs.last, last.style == style {
            runs[runs.count - 1].text += text
        } else {
            runs.append(Run(text: String(text), style: style))
        }
    }

    /// Adds text.
    public mutating func append(_ other: StyledText) {
        if isEmpty {
            self = other
        } else {
            for run in other.runs { append(run.text, run.style) }
        }
    }

    /// The texts, one behind the other.
    public static func + (one: StyledText, other: StyledText) -> StyledText {
        var sum = one
        sum.append(other)
        return sum
    }

    /// Adds text.
    public static func += (one: inout StyledText, other: StyledText) { one.append(other) }

    /// The text with changed styles.
    ///
    /// ```swift
    /// text.styled { $0.attributes.insert(.inverse) }
    /// ```
    public func styled(_ change: (inout Style) -> Void) -> StyledText {
        var changed = StyledText()
        for run in runs {
            var style = run.style
            change(&style)
            changed.append(run.text, style)
        }
        return changed
    }
}
