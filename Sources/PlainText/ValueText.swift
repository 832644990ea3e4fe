/// Values as text for readers: described on one line, with control characters escaped.
package enum ValueText {
    /// Returns the description of a value: strings in quotes, optionals unwrapped, and control characters other than line
    /// feeds and tabulators as escapes. If it contains a set or a dictionary, their elements are sorted.
    package static func describe(_ value: Any) -> String {
        if let text = value as? String { return String(reflecting: text).escapingControls }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { describe($0.value) } ?? "nil" }
        let text = ValueDescription.hasRandomOrder(value) ? ValueDescription.of(value) : String(describing: value)
        return text.escapingControlsInLines
    }

    /// Returns a description on one line, shortened if it is long; "nothing" for nil.
    package static func shown(_ value: String?) -> String {
        guard let value else { return "nothing" }
        let limit = 120
        let line = value.split(separator: "\n").joined(separator: "⏎").escapingControls
        guard line.count > limit else { return line }
        return "\(line.prefix(limit / 2))…\(line.suffix(limit / 2)) (\(line.count) characters)"
    }
}
